package io.holdfast.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The connections there are, the calls that are running, and whether new ones are taken. */
public final class Traffic {
  private final AtomicInteger connections = new AtomicInteger();
  private final Map<HangUp, LongAdder> hangUps = new ConcurrentHashMap<>();
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean draining;

  /** A connection was accepted. */
  public void opened() {
    connections.incrementAndGet();
  }

  /** A connection is closed. */
  public void closed() {
    connections.decrementAndGet();
  }

  /** How many connections there are. */
  public int connections() {
    return connections.get();
  }

  /** The server ended a connection. */
  public void hungUp(HangUp why) {
    hangUps.computeIfAbsent(why, none -> new LongAdder()).increment();
  }

  /** How many connections were ended for a reason. */
  public long hangUps(HangUp why) {
    LongAdder counted = hangUps.get(why);
    return counted == null ? 0 : counted.sum();
  }

  /** A call begins: the server does not stop before its end. */
  public void begin() {
    running.incrementAndGet();
  }

  /** A call has ended. */
  public void end() {
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
