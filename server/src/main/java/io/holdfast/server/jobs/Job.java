package io.holdfast.server.jobs;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Work that goes on by itself, step by step; each step is durable when it is done.
 *
 * <p>Thread: any may look and ask it to stop; one works.
 */
public final class Job {
  /** Where it is. */
  public enum State {
    RUNNING,
    DONE,
    CANCELLED,
    FAILED
  }

  private final String id;
  private final Jobs.Order order;
  private final long startedMs;
  private final AtomicLong done = new AtomicLong();
  private volatile State state = State.RUNNING;
  private volatile boolean stopping;
  private volatile long endedMs;
  private volatile @Nullable String error;

  Job(String id, Jobs.Order order, long startedMs) {
    this.id = id;
    this.order = order;
    this.startedMs = startedMs;
  }

  public String id() {
    return id;
  }

  public Jobs.Order order() {
    return order;
  }

  public long done() {
    return done.get();
  }

  public State state() {
    return state;
  }

  public long startedMs() {
    return startedMs;
  }

  /** When it ended; 0 while it runs. */
  public long endedMs() {
    return endedMs;
  }

  /** Why it failed, or was stopped by the server; else null. */
  public @Nullable String error() {
    return error;
  }

  /** Whether nobody stopped it, and its starter may still do this. */
  boolean mayContinue() {
    return !stopping && order.pass().isGood();
  }

  void stop() {
    stopping = true;
  }

  void add(long count) {
    done.addAndGet(count);
  }

  void end(State how, long nowMs, @Nullable String why) {
    error = why;
    endedMs = nowMs;
    state = how;
  }
}
