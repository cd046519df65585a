package io.holdfast.server.net;

import io.holdfast.server.http.HangUp;
import io.holdfast.server.http.Patience;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long the client of a connection has kept the server waiting, and how long it may.
 *
 * <p>Thread: the event loop of the connection.
 */
public final class Deadlines {
  private static final Duration LINGER = Duration.ofSeconds(1);
  private static final long NOT = Long.MIN_VALUE;

  /** What the server waits for. */
  public enum Phase {
    /** A further request. */
    RESTING,
    /** The rest of a head. */
    HEAD,
    /** The rest of a body. */
    BODY,
    /** Nothing: it is at work itself. */
    ANSWERING,
    /** The client's end of a connection that was answered for the last time. */
    LINGERING
  }

  private final Channel channel;
  private final Patience patience;
  private final int bodyQuota;
  private Phase phase = Phase.HEAD;
  private long phaseNanos = System.nanoTime();

  /** What has come of a body since the phase began, or since enough had come to begin anew. */
  private int bodyBytes;

  /** Since when nothing was sent of what is to be sent. */
  private long unsentNanos = NOT;

  private long unsentMark;

  Deadlines(Channel channel, Patience patience) {
    this.channel = channel;
    this.patience = patience;
    this.bodyQuota =
        (int) Math.max(1, patience.body().toMillis() * patience.bytesPerSecondMin() / 1000);
  }

  void enter(Phase next) {
    phase = next;
    phaseNanos = System.nanoTime();
    bodyBytes = 0;
  }

  /** Enters a phase, unless it is in it. */
  public void continueWith(Phase next) {
    if (phase != next) {
      enter(next);
    }
  }

  /** Bytes have come, of whatever. */
  void received() {
    if (phase == Phase.RESTING) {
      enter(Phase.HEAD);
    }
  }

  /** Bytes of a body have come. */
  public void received(int bytes) {
    bodyBytes += bytes;
    if (bodyBytes >= bodyQuota) {
      enter(Phase.BODY);
    }
  }

  /** Why the client is to be hung up on; null if it is not. */
  @Nullable HangUp overdue(long now, boolean crowded) {
    if (isUnread(now)) {
      return HangUp.UNREAD;
    }
    long waited = now - phaseNanos;
    return switch (phase) {
      case HEAD -> waited > patience.head().toNanos() ? HangUp.SLOW : null;
      case BODY -> waited > patience.body().toNanos() ? HangUp.SLOW : null;
      case RESTING -> crowded && waited > patience.head().toNanos() ? HangUp.CROWDED : null;
      case ANSWERING, LINGERING -> null;
    };
  }

  /** Whether there is nothing more to wait for. */
  boolean isOver(long now) {
    long waited = now - phaseNanos;
    return switch (phase) {
      case RESTING -> waited > patience.rest().toNanos();
      case LINGERING -> waited > LINGER.toNanos();
      case HEAD, BODY, ANSWERING -> false;
    };
  }

  private boolean isUnread(long now) {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    if (unsent == null || unsent.totalPendingWriteBytes() == 0) {
      unsentNanos = NOT;
      return false;
    }
    // One changes when a buffer was sent, the other when a part of it was.
    long mark = unsent.totalPendingWriteBytes() * 31 + unsent.currentProgress();
    if (unsentNanos == NOT || mark != unsentMark) {
      unsentNanos = now;
      unsentMark = mark;
      return false;
    }
    return now - unsentNanos > patience.unread().toNanos();
  }
}
