package io.holdfast.server.http;

import java.util.concurrent.atomic.AtomicInteger;

/** The calls that are running, and whether new ones are taken. */
public final class Traffic {
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean draining;

  void begin() {
    running.incrementAndGet();
  }

  void end() {
    running.decrementAndGet();
  }

  /** How many calls are running. */
  public int running() {
    return running.get();
  }

  /** Refuses new calls from here on; those that run go on. */
  public void drain() {
    draining = true;
  }

  public boolean isDraining() {
    return draining;
  }
}
