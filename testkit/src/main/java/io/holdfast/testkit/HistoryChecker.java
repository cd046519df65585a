package io.holdfast.testkit;

import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.Position;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A judge of what a broker answered to many threads at once.
 *
 * <p>Each call is reported with the logical time at which it began and ended, from one counter. Of
 * two calls that overlap nobody can say which came first, so a promise counts as broken only if it
 * is broken in every order that the times allow.
 *
 * <pre>{@code
 * HistoryChecker.Call call = checker.begin();
 * Popped popped = broker.pop(request).orThrow();
 * call.granted(group, popped);
 * }</pre>
 *
 * <p>Groups are expected to start from all messages; messages to end by a settle, unless a cancel
 * is reported.
 *
 * <p>Thread: any number may report; check when they are done.
 */
public final class HistoryChecker {
  /** What order a lane promises. */
  public enum Order {
    /** None: shared delivery. */
    NONE,
    /** First deliveries come in order; a message that came back may be overtaken. */
    SKIP,
    /** A message is overtaken by nothing until it is settled. */
    BLOCK
  }

  private static final int SHOWN_MAX = 20;

  private final TimeSource clock;
  private final Order order;
  private final AtomicLong counter = new AtomicLong();
  private final ConcurrentLinkedQueue<HistoryEvent> events = new ConcurrentLinkedQueue<>();

  /**
   * A judge of an empty history.
   *
   * @param clock the broker's, or one that is not behind it
   * @param order what the queues of the run promise
   */
  public HistoryChecker(TimeSource clock, Order order) {
    this.clock = clock;
    this.order = order;
  }

  /** To be called just before a request is sent. */
  public Call begin() {
    return new Call(counter.incrementAndGet());
  }

  /**
   * All that the history proves to be wrong.
   *
   * @param remaining the messages that can still be found in the broker, dead letters included
   */
  public List<Violation> violations(Set<UUID> remaining) {
    return new HistoryRules(List.copyOf(events), order).violations(remaining);
  }

  /**
   * Fails if the history proves anything to be wrong.
   *
   * @param remaining the messages that can still be found in the broker, dead letters included
   */
  public void check(Set<UUID> remaining) {
    List<Violation> violations = violations(remaining);
    if (!violations.isEmpty()) {
      StringBuilder text =
          new StringBuilder("Expected a faultless history, but of its " + events.size())
              .append(" events ")
              .append(violations.size())
              .append(" show a broken promise:");
      violations.stream().limit(SHOWN_MAX).forEach(v -> text.append("\n  ").append(v));
      if (violations.size() > SHOWN_MAX) {
        text.append("\n  ...");
      }
      throw new AssertionError(text.toString());
    }
  }

  /**
   * A call under way. What is reported first ends it.
   *
   * <p>Thread: the one that made the call.
   */
  public final class Call {
    private final long begin;
    private long end;
    private long atMs;

    private Call(long begin) {
      this.begin = begin;
    }

    public void pushed(UUID id) {
      pushed(List.of(id));
    }

    public void pushed(Collection<UUID> ids) {
      HistoryEvent.Span span = span();
      ids.forEach(id -> events.add(new HistoryEvent.Pushed(span, id)));
    }

    /** A push that was not answered: so many unknown messages may turn up. */
    public void pushUnanswered(int count) {
      events.add(new HistoryEvent.PushUnanswered(span(), count));
    }

    public void granted(String group, Popped popped) {
      int index = 0;
      for (Delivery delivery : popped.messages()) {
        granted(
            group,
            delivery.message().id(),
            delivery.message().position(),
            delivery.leaseId(),
            popped.leaseUntilMs(),
            index++);
      }
    }

    /**
     * One delivery.
     *
     * @param leaseId empty if the delivery settled it
     * @param index its place among the deliveries of the same answer
     */
    public void granted(
        String group, UUID id, Position position, String leaseId, long untilMs, int index) {
      HistoryEvent.Span span = span();
      events.add(
          new HistoryEvent.Granted(span, group, id, position, leaseId, untilMs, index, atMs));
    }

    /**
     * A settle of one message, accepted or refused.
     *
     * @param leaseId null if it named none
     */
    public void settled(
        String group, UUID id, @Nullable String leaseId, SettleVerdict.Status status) {
      tried(group, id, leaseId, status, false);
    }

    /** A nack or release that gave back the later messages of the lease as well. */
    public void settledWithRest(
        String group, UUID id, String leaseId, SettleVerdict.Status status) {
      tried(group, id, leaseId, status, true);
    }

    /** A settle of all that was open in a lease, accepted or refused. */
    public void settledLease(String leaseId, SettleVerdict.Status status) {
      tried(null, null, leaseId, status, true);
    }

    /** A settle that was not answered: it may have happened. */
    public void settleUnanswered(String group, UUID id, @Nullable String leaseId) {
      tried(group, id, leaseId, null, false);
    }

    /** A settle of a whole lease that was not answered. */
    public void settleLeaseUnanswered(String leaseId) {
      tried(null, null, leaseId, null, true);
    }

    private void tried(
        @Nullable String group,
        @Nullable UUID id,
        @Nullable String leaseId,
        SettleVerdict.@Nullable Status status,
        boolean rest) {
      HistoryEvent.Span span = span();
      events.add(new HistoryEvent.SettleTried(span, group, id, leaseId, status, rest, atMs));
    }

    /** A lease may not expire before that time. */
    public void extended(String leaseId, long untilMs) {
      events.add(new HistoryEvent.Extended(span(), leaseId, untilMs));
    }

    /** A seek, a requeue or the like: the group may see messages again, or never. */
    public void replayed(String group, @Nullable UUID id) {
      events.add(new HistoryEvent.Replayed(span(), group, id));
    }

    /** A message was cancelled or rescheduled, or may have been. */
    public void removed(UUID id) {
      events.add(new HistoryEvent.Removed(span(), id));
    }

    /** The broker crashed, so that leases which were not yet safe may be forgotten. */
    public void crashed() {
      events.add(new HistoryEvent.Crashed(span()));
    }

    private HistoryEvent.Span span() {
      if (end == 0) {
        atMs = clock.wallMs();
        end = counter.incrementAndGet();
      }
      return new HistoryEvent.Span(begin, end);
    }
  }
}
