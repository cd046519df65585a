package io.holdfast.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.http.DirectHandler;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How quickly the client of a connection sends and reads. Nothing gets past it that {@link Framing}
 * refuses.
 *
 * <p>Invariant: while somebody waits for the client, whether it is silent, sends byte by byte, or
 * does not read, {@link #slowness} says so in time.
 *
 * <p>Thread: at most one reads and one writes; any may ask how it goes.
 */
final class Pace implements DataWriter {
  /** The pace of the connection that the current thread serves. */
  static final ScopedValue<Pace> CURRENT = ScopedValue.newInstance();

  /** An answer is written in pieces of this size, and each has to be read in time. */
  private static final int PIECE_BYTES = 64 * 1024;

  private static final Duration LINGER = Duration.ofSeconds(1);
  private static final long NOT = Long.MAX_VALUE;
  private static final byte[] NOTHING = {};

  private enum Phase {
    RESTING,
    HEAD,
    BODY,
    LINGERING
  }

  private final DataReader source;
  private final DataWriter sink;
  private final Framing framing;
  private final Patience patience;
  private final int bodyQuota;

  /** What was read and is not let through: a part of a head, or what follows a request. */
  private byte[] held = NOTHING;

  private boolean heldIsNew;
  private volatile @Nullable Problem refusal;

  private volatile Phase phase = Phase.HEAD;
  private volatile long phaseNanos = System.nanoTime();

  /** What has come of a body since the phase began, or since enough had come to begin anew. */
  private int bodyBytes;

  private volatile boolean waiting;
  private volatile long writeNanos = NOT;

  Pace(DataReader source, DataWriter sink, Framing framing, Patience patience) {
    this.source = source;
    this.sink = sink;
    this.framing = framing;
    this.patience = patience;
    this.bodyQuota =
        (int) Math.max(1, patience.body().toMillis() * patience.bytesPerSecondMin() / 1000);
  }

  /** Why the request that is being read was refused; null if it was not. */
  @Nullable Problem refusal() {
    return refusal;
  }

  /** The next bytes of a request; of a head all of it. */
  byte[] read() {
    while (true) {
      int whole = heldIsNew ? take() : 0;
      heldIsNew = false;
      if (whole > 0) {
        return letThrough(whole);
      }
      byte[] more = await();
      if (held.length == 0) {
        held = more;
      } else {
        int before = held.length;
        held = Arrays.copyOf(held, before + more.length);
        System.arraycopy(more, 0, held, before, more.length);
      }
      heldIsNew = true;
    }
  }

  private int take() {
    if (refusal != null) {
      throw new CloseConnectionException("what follows something refused is not read");
    }
    try {
      return framing.take(held, held.length);
    } catch (Problem refused) {
      refusal = refused;
      if (!framing.isInHead()) {
        // A route reads this body: the refusal is its answer.
        throw refused;
      }
      throw RequestException.builder()
          .type(DirectHandler.EventType.BAD_REQUEST)
          .status(Status.create(refused.status()))
          .message(String.valueOf(refused.getMessage()))
          .setKeepAlive(false)
          .cause(refused)
          .build();
    }
  }

  private byte[] letThrough(int count) {
    byte[] bytes = held;
    if (count == held.length) {
      held = NOTHING;
    } else {
      bytes = Arrays.copyOf(held, count);
      held = Arrays.copyOfRange(held, count, held.length);
      heldIsNew = true;
    }
    if (!framing.isInHead()) {
      bodyBytes += count;
      if (phase != Phase.BODY || bodyBytes >= bodyQuota) {
        bodyBytes = 0;
        enter(Phase.BODY);
      }
    } else {
      enter(held.length == 0 ? Phase.RESTING : Phase.HEAD);
    }
    return bytes;
  }

  private void enter(Phase next) {
    phaseNanos = System.nanoTime();
    phase = next;
  }

  /** Waits for the client to send something. */
  private byte[] await() {
    waiting = true;
    try {
      source.ensureAvailable();
      byte[] bytes = source.readBytes(source.available());
      if (phase == Phase.RESTING) {
        enter(Phase.HEAD);
      }
      return bytes;
    } finally {
      waiting = false;
    }
  }

  /** How the client keeps somebody waiting for longer than it may; null if it does not. */
  @Nullable HangUp slowness() {
    long now = System.nanoTime();
    long writing = writeNanos;
    if (writing != NOT && now - writing > patience.unread().toNanos()) {
      return HangUp.UNREAD;
    }
    Duration most =
        switch (phase) {
          case RESTING -> null;
          case HEAD -> patience.head();
          case BODY -> patience.body();
          case LINGERING -> LINGER;
        };
    return waiting && most != null && now - phaseNanos > most.toNanos() ? HangUp.SLOW : null;
  }

  /** Whether nothing of a further request has come. */
  boolean isResting() {
    return phase == Phase.RESTING;
  }

  /**
   * Reads and drops what is left of a request that was answered before its end: a connection that
   * is closed with something unread is reset, and its client may then not see the answer.
   */
  void linger(long bytesMax) {
    if (refusal == null && framing.isInHead()) {
      return;
    }
    enter(Phase.LINGERING);
    try {
      for (long dropped = 0; dropped < bytesMax; ) {
        dropped += await().length;
      }
    } catch (RuntimeException ended) {
      // It has closed its end, or took too long.
    }
  }

  @Override
  public void write(BufferData... buffers) {
    write(BufferData.create(buffers));
  }

  @Override
  public void writeNow(BufferData... buffers) {
    write(BufferData.create(buffers));
  }

  @Override
  public void writeNow(BufferData buffer) {
    write(buffer);
  }

  @Override
  public void write(BufferData buffer) {
    while (buffer.available() > PIECE_BYTES) {
      byte[] piece = new byte[PIECE_BYTES];
      buffer.read(piece);
      writePiece(BufferData.create(piece));
    }
    writePiece(buffer);
  }

  private void writePiece(BufferData piece) {
    writeNanos = System.nanoTime();
    try {
      sink.writeNow(piece);
    } finally {
      writeNanos = NOT;
    }
  }

  @Override
  public void flush() {
    sink.flush();
  }

  @Override
  public void close() {
    sink.close();
  }
}
