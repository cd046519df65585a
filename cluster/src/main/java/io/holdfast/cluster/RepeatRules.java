package io.holdfast.cluster;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.lease.AttemptId;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Which requests may be sent again when nobody knows whether they were carried out. */
final class RepeatRules {
  /** The verbs that change nothing. */
  static final Set<Verb<?, ?>> READS =
      Set.of(
          Verbs.LEASE,
          Verbs.LEASES,
          Verbs.QUEUES,
          Verbs.QUEUE,
          Verbs.LOADS,
          Verbs.PARTITIONS,
          Verbs.BROWSE,
          Verbs.MESSAGE,
          Verbs.DEAD_LETTERS,
          Verbs.DEAD_ERRORS,
          Verbs.GROUPS,
          Verbs.TASK,
          Verbs.TASKS,
          Verbs.JOURNAL,
          Verbs.RECORD,
          Verbs.RECORDS,
          Verbs.STATS);

  /** The verbs whose repeat leaves the same state. */
  private static final Set<Verb<?, ?>> IDEMPOTENT =
      Set.of(
          Verbs.OPEN_SESSION,
          Verbs.EXTEND,
          Verbs.START,
          Verbs.RESCHEDULE,
          Verbs.CONFIGURE,
          Verbs.SEEK,
          Verbs.SUBSCRIBE_FROM,
          Verbs.PAUSE);

  private RepeatRules() {}

  /** Whether a repeat has no effect beyond that of the first time. */
  static boolean isHarmless(Verb<?, ?> verb, Object request) {
    return switch (request) {
      case PushRequest push -> push.isNamed();
      case CommitRequest commit -> commit.isNamed();
      // What a pop adds to a lease that it joins is not returned again.
      case PopRequest pop -> pop.joinLease() == null && areFenced(pop.settles());
      case SettleRequest settle -> areFenced(settle.settles());
      case RequeueRequest requeue -> requeue.dryRun();
      case DeadLetterFilter removed -> false;
      default -> READS.contains(verb) || IDEMPOTENT.contains(verb);
    };
  }

  private static boolean areFenced(List<Settle> settles) {
    return settles.stream().noneMatch(settle -> settle.target() instanceof Settle.Target.Unfenced);
  }

  /** How long a request waits for something to happen. */
  static long waitMs(Object request) {
    return switch (request) {
      case PopRequest pop -> pop.waitMs();
      case ExtendRequest extend -> extend.waitMs();
      case RecordRequest record -> record.waitMs();
      default -> 0;
    };
  }

  /** The same request as a later try, if the broker tells tries of it apart. */
  @SuppressWarnings("unchecked")
  static <I> I withTry(I request, int number) {
    return request instanceof PopRequest pop && pop.attemptId() != null
        ? (I) pop.attemptId(AttemptId.later(pop.attemptId(), number))
        : request;
  }

  /** The same request with another wait. */
  @SuppressWarnings("unchecked")
  static <I> I withWait(I request, long waitMs) {
    return (I)
        switch (request) {
          case PopRequest pop -> pop.waitMs(waitMs);
          case ExtendRequest extend ->
              new ExtendRequest(extend.leaseId(), extend.leaseMs(), waitMs);
          case RecordRequest record -> new RecordRequest(record.key(), record.newerThan(), waitMs);
          default -> request;
        };
  }

  /**
   * The answer to a repeat as the caller expects it, who does not know of the first time: a message
   * that its lease has acked already is acked.
   */
  @SuppressWarnings("unchecked")
  static <O> O afterRepeat(Object request, O answer) {
    if (request instanceof SettleRequest settle
        && !settle.atomic()
        && answer instanceof Settled settled) {
      return (O) new Settled(afterRepeat(settle.settles(), settled.verdicts()));
    }
    if (request instanceof PopRequest pop
        && !pop.settles().isEmpty()
        && answer instanceof Popped popped) {
      return (O)
          new Popped(
              popped.messages(),
              popped.leaseId(),
              popped.leaseUntilMs(),
              popped.reason(),
              popped.retryAtMs(),
              afterRepeat(pop.settles(), popped.settled()));
    }
    return answer;
  }

  private static List<SettleVerdict> afterRepeat(
      List<Settle> settles, List<SettleVerdict> verdicts) {
    List<SettleVerdict> mapped = new ArrayList<>(verdicts);
    for (int i = 0; i < mapped.size() && i < settles.size(); i++) {
      Settle settle = settles.get(i);
      boolean one =
          settle.target() instanceof Settle.Target.Held
              || settle.target() instanceof Settle.Target.HeldByName;
      if (one
          && settle.outcome() == Settle.Outcome.ACK
          && mapped.get(i).status() == Status.ALREADY_SETTLED) {
        mapped.set(i, new SettleVerdict(Status.ACKED, 1, 0, 0));
      }
    }
    return mapped;
  }
}
