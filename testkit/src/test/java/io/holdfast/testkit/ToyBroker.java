package io.holdfast.testkit;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A broker of one shared queue and one group, in memory, that keeps its promises: just enough to
 * show that a judge finds no fault with it.
 *
 * <p>Thread: any; each call holds the monitor.
 */
final class ToyBroker extends ForwardingBroker {
  /** A message and who holds it. */
  private static final class Entry {
    private final Message message;
    private @Nullable String leaseId;
    private int attempts;

    private Entry(Message message) {
      this.message = message;
    }
  }

  /** A lease, live or over. */
  private static final class Lease {
    private final long untilMs;
    private final Set<Position> open = new HashSet<>();
    private final Set<Position> settled = new HashSet<>();
    private boolean expired;

    private Lease(long untilMs) {
      this.untilMs = untilMs;
    }
  }

  private final TimeSource clock;
  private final Map<Long, Entry> entries = new TreeMap<>();
  private final Map<String, Lease> leases = new HashMap<>();
  private long nextSeq;

  ToyBroker(TimeSource clock) {
    super(refusingEverything());
    this.clock = clock;
  }

  private static Broker refusingEverything() {
    return (Broker)
        Proxy.newProxyInstance(
            ToyBroker.class.getClassLoader(),
            new Class<?>[] {Broker.class},
            (proxy, method, arguments) ->
                method.getReturnType() == Result.class
                    ? Result.refused(ErrorCode.UNSUPPORTED, "a toy does not " + method.getName())
                    : null);
  }

  @Override
  public synchronized Result<Pushed> push(PushRequest request) {
    List<PushedMessage> pushed = new ArrayList<>();
    for (NewMessage given : request.messages()) {
      long seq = ++nextSeq;
      UUID id = new UUID(7, seq);
      entries.put(
          seq,
          new Entry(
              new Message(
                  id,
                  given.queue(),
                  given.partition(),
                  new Position(0, given.lane(), seq),
                  given.transactionId(),
                  given.payload(),
                  given.headers(),
                  clock.wallMs(),
                  clock.wallMs())));
      pushed.add(new PushedMessage(id, false, 0));
    }
    return Result.ok(new Pushed(pushed));
  }

  @Override
  public synchronized Result<Popped> pop(PopRequest request) {
    expire();
    Lease lease =
        new Lease(clock.wallMs() + (request.leaseMs() == 0 ? 300_000 : request.leaseMs()));
    String leaseId = "L" + leases.size();
    List<Delivery> taken = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (entry.leaseId == null && taken.size() < request.batch()) {
        entry.leaseId = leaseId;
        lease.open.add(entry.message.position());
        taken.add(new Delivery(entry.message, leaseId, ++entry.attempts, 0));
      }
    }
    if (taken.isEmpty()) {
      return Result.ok(new Popped(taken, "", 0, Popped.Reason.EMPTY, 0, List.of()));
    }
    leases.put(leaseId, lease);
    return Result.ok(new Popped(taken, leaseId, lease.untilMs, Popped.Reason.NONE, 0, List.of()));
  }

  @Override
  public synchronized Result<Settled> settle(SettleRequest request) {
    expire();
    return Result.ok(new Settled(request.settles().stream().map(this::verdict).toList()));
  }

  @Override
  public synchronized Result<Page<GroupInfo>> groups(GroupsRequest request) {
    return Result.ok(
        new Page<>(
            List.of(
                new GroupInfo(
                    "q",
                    PopRequest.QUEUE_MODE,
                    StartFrom.ALL,
                    0,
                    entries.size(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    leases.size())),
            null));
  }

  private SettleVerdict verdict(Settle settle) {
    return switch (settle.target()) {
      case Settle.Target.Held held -> one(held.handle(), settle);
      case Settle.Target.WholeLease whole -> whole(whole.leaseId(), settle);
      case Settle.Target.Unfenced unfenced -> unfenced(unfenced.message(), settle);
      case Settle.Target.HeldByName named -> SettleVerdict.refused(Status.NOT_FOUND);
    };
  }

  private SettleVerdict one(Handle handle, Settle settle) {
    Lease lease = leases.get(handle.leaseId());
    if (lease != null && lease.settled.contains(handle.position())) {
      return SettleVerdict.refused(Status.ALREADY_SETTLED);
    }
    if (lease == null || !lease.open.contains(handle.position())) {
      return SettleVerdict.refused(Status.STALE_LEASE);
    }
    SettleVerdict verdict = end(lease, handle.position(), settle.outcome());
    if (settle.rest()) {
      for (Position position : List.copyOf(lease.open)) {
        if (position.seq() > handle.position().seq()) {
          end(lease, position, Settle.Outcome.RELEASE);
        }
      }
    }
    return verdict;
  }

  private SettleVerdict whole(String leaseId, Settle settle) {
    Lease lease = leases.get(leaseId);
    if (lease == null || lease.expired) {
      return SettleVerdict.refused(Status.STALE_LEASE);
    }
    if (lease.open.isEmpty()) {
      return SettleVerdict.refused(Status.ALREADY_SETTLED);
    }
    SettleVerdict verdict = SettleVerdict.refused(Status.NOT_FOUND);
    for (Position position : List.copyOf(lease.open)) {
      verdict = end(lease, position, settle.outcome());
    }
    return verdict;
  }

  private SettleVerdict unfenced(MessageRef message, Settle settle) {
    for (Entry entry : entries.values()) {
      if (message instanceof MessageRef.ById ref
          && ref.id().equals(entry.message.id())
          && entry.leaseId != null) {
        Lease lease = leases.get(entry.leaseId);
        if (lease != null) {
          return end(lease, entry.message.position(), settle.outcome());
        }
      }
    }
    return SettleVerdict.refused(Status.NOT_FOUND);
  }

  private SettleVerdict end(Lease lease, Position position, Settle.Outcome outcome) {
    lease.open.remove(position);
    lease.settled.add(position);
    Entry entry = entries.get(position.seq());
    if (outcome == Settle.Outcome.ACK) {
      entries.remove(position.seq());
      return new SettleVerdict(Status.ACKED, 1, 0, 0);
    }
    if (entry != null) {
      entry.leaseId = null;
    }
    return outcome == Settle.Outcome.NACK
        ? new SettleVerdict(Status.RETRYING, 1, 1, clock.wallMs())
        : new SettleVerdict(Status.RELEASED, 1, 0, clock.wallMs());
  }

  private void expire() {
    long nowMs = clock.wallMs();
    for (Lease lease : leases.values()) {
      if (lease.untilMs <= nowMs && !lease.open.isEmpty()) {
        lease.expired = true;
        for (Position position : lease.open) {
          Entry entry = entries.get(position.seq());
          if (entry != null) {
            entry.leaseId = null;
          }
        }
        lease.open.clear();
      }
    }
  }
}
