package io.holdfast.testkit;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A broker that breaks one promise now and then, to show that a test would notice.
 *
 * <p>Thread: any.
 */
public final class FaultyBroker extends ForwardingBroker {
  /** Which promise it breaks. */
  public enum Fault {
    /** Answers ACKED to an ack whose lease is over. */
    ACCEPT_STALE_ACK,
    /** Answers ACKED again to an ack that is repeated. */
    ACK_TWICE,
    /** Answers a push with success and stores nothing. */
    LOSE_PUSH,
    /** Adds to a pop's answer a copy of the message that was delivered last. */
    DELIVER_TWICE
  }

  private final Fault fault;
  private final int every;
  private final AtomicLong chances = new AtomicLong();
  private final AtomicLong planted = new AtomicLong();
  private final AtomicReference<@Nullable Delivery> newest = new AtomicReference<>();

  /**
   * A broker with a fault.
   *
   * @param every the fault shows at each so many-th chance
   */
  public FaultyBroker(Broker target, Fault fault, int every) {
    super(target);
    this.fault = fault;
    this.every = every;
  }

  /** How often the fault has shown. */
  public long planted() {
    return planted.get();
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    if (fault != Fault.LOSE_PUSH || !strikes()) {
      return super.push(request);
    }
    return Result.ok(
        new Pushed(
            request.messages().stream()
                .map(message -> new PushedMessage(UUID.randomUUID(), false, 0))
                .toList()));
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    return super.settle(request)
        .map(settled -> new Settled(bent(request.settles(), settled.verdicts())));
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    return super.pop(request)
        .map(
            popped ->
                new Popped(
                    withCopies(popped),
                    popped.leaseId(),
                    popped.leaseUntilMs(),
                    popped.reason(),
                    popped.retryAtMs(),
                    bent(request.settles(), popped.settled())));
  }

  private List<SettleVerdict> bent(List<Settle> settles, List<SettleVerdict> verdicts) {
    List<SettleVerdict> bent = new ArrayList<>(verdicts);
    for (int i = 0; i < verdicts.size(); i++) {
      if (settles.get(i).outcome() == Settle.Outcome.ACK
          && bends(verdicts.get(i).status())
          && strikes()) {
        bent.set(i, new SettleVerdict(SettleVerdict.Status.ACKED, 1, 0, 0));
      }
    }
    return bent;
  }

  private boolean bends(SettleVerdict.Status status) {
    return switch (fault) {
      case ACCEPT_STALE_ACK -> status == SettleVerdict.Status.STALE_LEASE;
      case ACK_TWICE -> status == SettleVerdict.Status.ALREADY_SETTLED;
      case LOSE_PUSH, DELIVER_TWICE -> false;
    };
  }

  private List<Delivery> withCopies(Popped popped) {
    if (fault != Fault.DELIVER_TWICE || popped.isEmpty()) {
      return popped.messages();
    }
    List<Delivery> all = new ArrayList<>(popped.messages());
    Delivery copied = newest.getAndSet(popped.messages().getLast());
    if (copied != null && strikes()) {
      all.add(
          new Delivery(
              copied.message(), popped.leaseId(), copied.attempt() + 1, copied.failures()));
    }
    return all;
  }

  private boolean strikes() {
    boolean strikes = chances.incrementAndGet() % every == 0;
    if (strikes) {
      planted.incrementAndGet();
    }
    return strikes;
  }
}
