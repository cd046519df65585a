package io.holdfast.client.tasks;

import io.holdfast.api.message.Position;
import io.holdfast.client.RenewableLease;
import java.time.Duration;
import java.util.List;

/**
 * The lease of a task while a handler works on it.
 *
 * <p>Thread: any.
 */
final class TaskLease implements RenewableLease {
  private final Wiring wiring;
  private final Hold hold;
  private final Runnable interruptHandler;
  private volatile boolean over;

  TaskLease(Wiring wiring, Hold hold, Runnable interruptHandler) {
    this.wiring = wiring;
    this.hold = hold;
    this.interruptHandler = interruptHandler;
  }

  /** The handler has returned. */
  void end() {
    over = true;
  }

  @Override
  public String leaseId() {
    return hold.handle().leaseId();
  }

  @Override
  public Duration length() {
    return wiring.config().ackTimeout();
  }

  @Override
  public long endNanos() {
    return hold.renewedNanos() + length().toNanos();
  }

  @Override
  public boolean isWanted() {
    return !over && !hold.isOver();
  }

  @Override
  public void renewed(long untilNanos, List<Position> cancelled) {
    hold.renewed(untilNanos - length().toNanos());
  }

  @Override
  public void retrying(RuntimeException cause, Duration after) {
    wiring.log().cannot("Renewing a task", hold.topic(), cause);
  }

  @Override
  public int lose() {
    if (!isWanted()) {
      return 0;
    }
    interruptHandler.run();
    return 1;
  }

  @Override
  public void reportLost(int messages) {
    wiring.log().lost(hold);
  }
}
