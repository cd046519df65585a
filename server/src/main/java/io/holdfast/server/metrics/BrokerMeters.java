package io.holdfast.server.metrics;

import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Target;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts and measures what goes through a broker.
 *
 * <p>Messages that follow each other are mostly alike: of one queue, one time, one lease. So runs
 * of them are counted, and a batch costs little more than a message.
 *
 * <p>Thread: any.
 */
final class BrokerMeters {
  final Latencies delivery = new Latencies();
  final Latencies ack = new Latencies();
  final QueueCounts queues;
  private final LeaseTimes leases;
  private final TimeSource time;

  BrokerMeters(TimeSource time, int queuesMax) {
    this.time = time;
    this.queues = new QueueCounts(queuesMax);
    this.leases = new LeaseTimes(time.wallMs());
  }

  long nowMs() {
    return time.wallMs();
  }

  void pushed(PushRequest request, Pushed pushed) {
    // A request id that was used before may be answered for other messages.
    int messages = Math.min(request.messages().size(), pushed.messages().size());
    for (int i = 0; i < messages; ) {
      String queue = request.messages().get(i).queue();
      int stored = 0;
      for (; i < messages && queue.equals(request.messages().get(i).queue()); i++) {
        stored += pushed.messages().get(i).duplicate() ? 0 : 1;
      }
      queues.of(queue).pushed.add(stored);
    }
  }

  void pushed(NewMessage message) {
    queues.of(message.queue()).pushed.increment();
  }

  void popped(Popped popped) {
    List<Delivery> messages = popped.messages();
    if (messages.isEmpty()) {
      return;
    }
    long nowMs = nowMs();
    QueueCounts.Counts counts = queues.rest();
    int runs = 0;
    for (int i = 0; i < messages.size(); runs++) {
      int from = i;
      Message first = messages.get(i).message();
      boolean fresh = messages.get(i).attempt() == 1;
      while (i < messages.size() && alike(messages.get(i), first, fresh)) {
        i++;
      }
      counts = queues.of(first.queue());
      counts.delivered.add(i - from);
      if (fresh) {
        delivery.recordMs(nowMs - first.visibleMs(), i - from);
      }
    }
    if (!popped.leaseId().isEmpty()) {
      String queue = messages.getFirst().message().queue();
      boolean several = runs > 1 && messages.stream().anyMatch(each -> isOther(each, queue));
      leases.granted(popped.leaseId(), nowMs, several ? queues.rest() : counts, messages.size());
    }
  }

  private static boolean alike(Delivery delivery, Message first, boolean fresh) {
    Message message = delivery.message();
    return (delivery.attempt() == 1) == fresh
        && message.visibleMs() == first.visibleMs()
        && message.queue().equals(first.queue());
  }

  private static boolean isOther(Delivery delivery, String queue) {
    return !delivery.message().queue().equals(queue);
  }

  /**
   * Settles were decided.
   *
   * @param askedMs when they came in: a pop that carried them may have waited since
   */
  void settled(List<Settle> settles, List<SettleVerdict> verdicts, long askedMs) {
    for (int i = 0; i < verdicts.size(); ) {
      String leaseId = leaseId(settles.get(i));
      int acked = 0;
      int ended = 0;
      for (; i < verdicts.size() && sameLease(leaseId, leaseId(settles.get(i))); i++) {
        SettleVerdict verdict = verdicts.get(i);
        ended += verdict.applied() ? verdict.count() : 0;
        acked += verdict.status() == SettleVerdict.Status.ACKED ? verdict.count() : 0;
      }
      ended(leaseId, acked, ended, askedMs);
    }
  }

  void settled(Settle settle, SettleVerdict verdict, long askedMs) {
    settled(List.of(settle), List.of(verdict), askedMs);
  }

  private static boolean sameLease(@Nullable String one, @Nullable String other) {
    return one == null ? other == null : one.equals(other);
  }

  private static @Nullable String leaseId(Settle settle) {
    return switch (settle.target()) {
      case Target.Held held -> held.handle().leaseId();
      case Target.HeldByName held -> held.leaseId();
      case Target.WholeLease lease -> lease.leaseId();
      case Target.Unfenced unfenced -> null;
    };
  }

  private void ended(@Nullable String leaseId, int acked, int ended, long askedMs) {
    LeaseTimes.Granted granted = leaseId == null || ended == 0 ? null : leases.get(leaseId);
    if (leaseId == null || granted == null) {
      queues.rest().acked.add(acked);
      return;
    }
    if (acked > 0) {
      ack.recordMs(askedMs - granted.grantedMs, acked);
      granted.queue.acked.add(acked);
    }
    leases.settled(leaseId, granted, ended);
  }

  int leasesRemembered() {
    return leases.size();
  }
}
