package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.TimeSource;
import io.holdfast.engine.command.Reply;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that tells the shard that time has passed: when something is due, and once a second
 * for the sweep; more often while there is more to trim than one sweep does.
 */
final class Ticker implements AutoCloseable {
  private static final long SWEEP_MS = 1_000;

  /** So soon a sweep is followed by another one that could not do all there was to do. */
  private static final long SWEEP_AGAIN_MS = 1;

  private static final long NANOS_PER_MS = 1_000_000;

  private final Shard shard;
  private final StampClock clock;
  private final TimeSource time;
  private final Thread thread;
  private volatile boolean closing;
  private long firstSweepMs;
  private volatile long sleepsUntilMs = Long.MAX_VALUE;

  Ticker(Shard shard, StampClock clock, TimeSource time) {
    this.shard = shard;
    this.clock = clock;
    this.time = time;
    this.thread = Thread.ofPlatform().name("holdfast-tick").daemon().unstarted(this::run);
  }

  void start() {
    // Here and not by the thread: time may move on before that begins to run.
    firstSweepMs = clock.nowMs() + SWEEP_MS;
    thread.start();
  }

  /** Something may be due earlier than the ticker knew. */
  void hurry() {
    if (shard.nextDueMs() < sleepsUntilMs) {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    try {
      passTime();
    } catch (Throwable error) {
      // Without it leases would not end, and nobody would know.
      shard.fail("let time pass", error);
    }
  }

  private void passTime() {
    long sweepAtMs = firstSweepMs;
    while (!closing) {
      // In this order: time that passes in between makes it wake early, never late.
      long nanos = time.nanos();
      long nowMs = clock.nowMs();
      if (nowMs >= sweepAtMs) {
        boolean again = tick(true);
        sweepAtMs = nowMs + (again ? SWEEP_AGAIN_MS : SWEEP_MS);
      } else if (nowMs >= shard.nextDueMs()) {
        tick(false);
      } else {
        sleepsUntilMs = Math.min(sweepAtMs, shard.nextDueMs());
        if (shard.nextDueMs() >= sleepsUntilMs && !closing) {
          time.parkUntil(nanos + (sleepsUntilMs - nowMs) * NANOS_PER_MS);
        }
        sleepsUntilMs = Long.MAX_VALUE;
      }
    }
  }

  /** Lets the shard know; answers whether there is more to do than it did. */
  private boolean tick(boolean sweep) {
    Reply reply = shard.tick(sweep).await();
    if (reply instanceof Reply.Refused refused) {
      ErrorCode code = refused.refusal().code();
      if (code == ErrorCode.CLOSED || code == ErrorCode.SHARD_STOPPED) {
        closing = true;
      } else if (!closing) {
        // Not at once: it will probably fail again.
        time.parkUntil(time.nanos() + SWEEP_MS * NANOS_PER_MS);
      }
    }
    return reply instanceof Reply.Ticked ticked && ticked.again();
  }

  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    Shard.join(thread);
  }
}
