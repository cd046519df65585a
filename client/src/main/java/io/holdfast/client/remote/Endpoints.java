package io.holdfast.client.remote;

import io.holdfast.client.Signal;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of a broker, one of which is in use until it fails.
 *
 * <p>Thread: any.
 */
final class Endpoints {
  private final RemoteConfig config;
  private final List<Endpoint> all;
  private final Signal changes;
  private volatile int current;
  private volatile boolean closed;

  /**
   * @param threads for what blocks and must not hold up a caller
   */
  Endpoints(RemoteConfig config, Executor threads) {
    this.config = config;
    changes = new Signal(config.time());
    all =
        config.addresses().stream()
            .map(address -> new Endpoint(config, address, threads, this::leave))
            .toList();
  }

  /**
   * The one in use, or else the next that may be asked; null if all of them rest.
   *
   * @param parked whether the request may wait long for nothing
   */
  @Nullable Endpoint pick(boolean parked) {
    int first = current;
    for (int i = 0; i < all.size(); i++) {
      Endpoint one = all.get((first + i) % all.size());
      if (one.mayTry(parked)) {
        return one;
      }
    }
    return null;
  }

  /**
   * The address to ask; waits while all of them rest.
   *
   * @return null if none may be asked before the deadline, or if this is closed
   */
  @Nullable Endpoint await(boolean parked, long deadlineNanos) throws InterruptedException {
    Endpoint one = pick(parked);
    while (one == null && !closed) {
      long restEnd = firstRestEnd();
      boolean tooLong = restEnd - deadlineNanos > 0;
      // A request that tries an address may end its rest at any time.
      if ((tooLong && all.stream().noneMatch(Endpoint::isTried))
          || config.time().nanos() - deadlineNanos >= 0) {
        return null;
      }
      AtomicReference<@Nullable Endpoint> picked = new AtomicReference<>();
      changes.await(() -> closed || isPicked(picked, parked), tooLong ? deadlineNanos : restEnd);
      one = picked.get();
    }
    return one;
  }

  /**
   * When to {@link #pick} again after all addresses rest.
   *
   * @return null if none may be asked before the deadline
   */
  @Nullable Long nextPickNanos(long deadlineNanos) {
    long now = config.time().nanos();
    long restEnd = firstRestEnd();
    boolean tooLong = restEnd - deadlineNanos > 0;
    boolean tried = all.stream().anyMatch(Endpoint::isTried);
    if ((tooLong && !tried) || now - deadlineNanos >= 0) {
      return null;
    }
    // A request that tries an address may end its rest at any time.
    long soon = now + config.rest().toNanos() / 8 + 1;
    return tried && soon - restEnd < 0 ? soon : tooLong ? deadlineNanos : restEnd;
  }

  private boolean isPicked(AtomicReference<@Nullable Endpoint> into, boolean parked) {
    into.set(pick(parked));
    return into.get() != null;
  }

  private long firstRestEnd() {
    long first = all.get(0).restUntilNanos();
    for (Endpoint one : all) {
      long end = one.restUntilNanos();
      first = end - first < 0 ? end : first;
    }
    return first;
  }

  void succeeded(Endpoint one) {
    if (one.succeeded()) {
      changes.tell();
    }
  }

  /** A request failed; the next address is in use from here on. */
  void failed(Endpoint one) {
    one.failed();
    leave(one);
  }

  /** The next address is in use if this one is: its node cannot do the request at the moment. */
  void leave(Endpoint one) {
    int number = all.indexOf(one);
    if (number == current) {
      current = (number + 1) % all.size();
    }
  }

  void close() {
    closed = true;
    changes.tell();
    all.forEach(Endpoint::close);
  }

  @Override
  public String toString() {
    return all.stream().map(one -> one.address().toString()).collect(Collectors.joining(", "));
  }
}
