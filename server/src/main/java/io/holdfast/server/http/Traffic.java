package io.holdfast.server.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The connections there are, the calls that are running, and whether new ones are taken. */
public final class Traffic {
  private final AtomicInteger connections = new AtomicInteger();
  private final Map<HangUp, LongAdder> hangUps = new EnumMap<>(HangUp.class);
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean draining;

  public Traffic() {
    for (HangUp why : HangUp.values()) {
      hangUps.put(why, new LongAdder());
    }
  }

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
    counter(why).increment();
  }

  /** How many connections were ended for a reason. */
  public long hangUps(HangUp why) {
    return counter(why).sum();
  }

  private LongAdder counter(HangUp why) {
    return Objects.requireNonNull(hangUps.get(why));
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
