package io.holdfast.server.tls;

import io.holdfast.server.access.FileStamp;
import java.net.SocketAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of a server: its keys, as the files have them, and the handshakes of its clients.
 *
 * <p>The web server's sockets of the blocking kind are used for it: the others look up the name of
 * every client, which strangers could make take long.
 *
 * <p>Thread: any; {@link #look} only one at a time.
 */
public final class TlsKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(TlsKeeper.class);

  /** How long a client may take for its handshake at most. */
  private static final Duration HANDSHAKE_MAX = Duration.ofSeconds(10);

  private final TlsFiles files;
  private final ServedKeys keys;
  private final Handshakes handshakes;
  private final SSLContext context;

  /** How the files were when they were last taken over. */
  private FileStamp used;

  private FileStamp seen;

  /** What was last told to be wrong with them; empty if nothing is. */
  private String problem = "";

  /**
   * Reads the files.
   *
   * @param readTimeout how long a client may take for a request, and so for its handshake
   * @throws IllegalArgumentException saying what is wrong with the files
   */
  public TlsKeeper(TlsFiles files, Duration readTimeout) {
    this.files = files;
    this.handshakes =
        new Handshakes(readTimeout.compareTo(HANDSHAKE_MAX) < 0 ? readTimeout : HANDSHAKE_MAX);
    this.used = FileStamp.of(files.certificate(), files.key());
    this.seen = used;
    this.keys = new ServedKeys(files);
    try {
      SSLContext plain = SSLContext.getInstance("TLS");
      // Nobody is asked for a certificate, so nobody has to be trusted.
      plain.init(new KeyManager[] {keys}, new TrustManager[0], null);
      this.context = new ServedContext(plain, handshakes);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this Java has no TLS", missing);
    }
  }

  /** What the web server makes its sockets with. */
  public SSLContext context() {
    return context;
  }

  /** Says that a connection has its handshake behind it. */
  public void opened(SocketAddress address) {
    handshakes.ended(address);
  }

  /** Takes over files that have changed, and cuts off handshakes that take too long. */
  public synchronized void look() {
    handshakes.look();
    FileStamp now = FileStamp.of(files.certificate(), files.key());
    // Two files are not written at once: they count when nothing has changed for a look.
    boolean settled = now.equals(seen);
    seen = now;
    if (!settled || now.equals(used)) {
      return;
    }
    try {
      // A pair that cannot be used is tried at every look: who may read it changes nothing else.
      keys.reload();
      used = now;
      problem = "";
      LOG.info("The certificate was read again; it is good until {}.", keys.until());
    } catch (IllegalArgumentException bad) {
      tell(String.valueOf(bad.getMessage()));
    }
  }

  /** Says what is wrong, once. */
  private void tell(String wrong) {
    if (!wrong.equals(problem)) {
      problem = wrong;
      LOG.error("The new certificate is not used, the one before stays: {}", wrong);
    }
  }
}
