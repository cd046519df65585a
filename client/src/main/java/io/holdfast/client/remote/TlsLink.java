package io.holdfast.client.remote;

import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * TLS on a connection.
 *
 * <p>Invariant: {@code received} is ready to be filled and {@code toSend} to be drained, between
 * calls.
 *
 * <p>Thread: as {@link Link} says; the engine allows one thread to read while another writes.
 */
final class TlsLink implements Link {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Link plain;
  private final SSLEngine engine;
  private final ByteBuffer received;
  private final ByteBuffer toSend;

  /** Clear bytes that did not fit into the reader's buffer. */
  private final ByteBuffer clear;

  private TlsLink(Link plain, SSLEngine engine) {
    this.plain = plain;
    this.engine = engine;
    int packet = engine.getSession().getPacketBufferSize();
    this.received = ByteBuffer.allocateDirect(2 * packet);
    this.toSend = ByteBuffer.allocateDirect(packet);
    toSend.limit(0);
    this.clear = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    clear.limit(0);
  }

  /** Makes a connection secure: the certificate has to be trusted, and be one of the host. */
  static TlsLink over(Link plain, URI address, @Nullable SSLContext tls, long deadlineNanos)
      throws IOException {
    SSLContext context = tls == null ? jvmContext() : tls;
    SSLEngine engine = context.createSSLEngine(address.getHost(), SocketLink.portOf(address));
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    // Without this, any certificate of a known authority would do for any host.
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    TlsLink link = new TlsLink(plain, engine);
    engine.beginHandshake();
    link.shakeHands(deadlineNanos);
    return link;
  }

  private static SSLContext jvmContext() throws IOException {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("this JVM has no TLS", e);
    }
  }

  private void shakeHands(long deadlineNanos) throws IOException {
    while (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> runTasks();
        case NEED_WRAP -> {
          wrap(NOTHING);
          while (!plain.write(toSend)) {
            SocketLink.awaitUntil(plain, true, deadlineNanos);
          }
        }
        default -> {
          clear.clear();
          SSLEngineResult result = unwrap(clear);
          clear.flip();
          if (result.getStatus() == Status.BUFFER_UNDERFLOW && !fill()) {
            SocketLink.awaitUntil(plain, false, deadlineNanos);
          } else if (result.getStatus() == Status.CLOSED) {
            throw new EOFException("the server closed the connection during the TLS handshake");
          }
        }
      }
    }
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask(); task != null; ) {
      task.run();
      task = engine.getDelegatedTask();
    }
  }

  private SSLEngineResult unwrap(ByteBuffer into) throws SSLException {
    received.flip();
    try {
      return engine.unwrap(received, into);
    } finally {
      received.compact();
    }
  }

  private void wrap(ByteBuffer from) throws SSLException {
    toSend.clear();
    try {
      engine.wrap(from, toSend);
    } finally {
      toSend.flip();
    }
  }

  /** Reads encrypted bytes; returns whether some have come. */
  private boolean fill() throws IOException {
    int read = plain.read(received);
    if (read < 0) {
      throw new EOFException("the server closed the connection");
    }
    return read > 0;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int before = into.position();
    while (into.hasRemaining()) {
      if (clear.hasRemaining()) {
        int limit = clear.limit();
        clear.limit(clear.position() + Math.min(clear.remaining(), into.remaining()));
        into.put(clear);
        clear.limit(limit);
        continue;
      }
      clear.clear();
      SSLEngineResult result = unwrap(clear);
      clear.flip();
      if (result.getStatus() == Status.CLOSED) {
        return into.position() > before ? into.position() - before : -1;
      }
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        runTasks();
      }
      if (result.getStatus() == Status.BUFFER_UNDERFLOW && !fill()) {
        break;
      }
    }
    return into.position() - before;
  }

  @Override
  public boolean write(ByteBuffer from) throws IOException {
    while (plain.write(toSend)) {
      if (!from.hasRemaining()) {
        return true;
      }
      wrap(from);
    }
    return false;
  }

  /** Bytes that were decrypted already must have been read before. */
  @Override
  public void await(boolean alsoWritable, long deadlineNanos) throws IOException {
    plain.await(alsoWritable, deadlineNanos);
  }

  @Override
  public void wakeUp() {
    plain.wakeUp();
  }

  @Override
  public void close() {
    plain.close();
  }
}
