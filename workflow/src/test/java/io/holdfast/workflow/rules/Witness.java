package io.holdfast.workflow.rules;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A broker that remembers what was stored, and in which commits of workers can go wrong.
 *
 * <p>Thread: any.
 */
public final class Witness extends ForwardingBroker {
  /** What goes wrong with a commit that settles messages. */
  public enum Trouble {
    /** It is refused, for good. */
    REFUSED,
    /** All of it is stored but the acks, as if the worker had died between the two. */
    NOT_ACKED
  }

  public final List<CommitRequest> commits = new CopyOnWriteArrayList<>();
  public final AtomicInteger journalReads = new AtomicInteger();
  public final AtomicInteger troubles = new AtomicInteger();
  private final AtomicInteger settling = new AtomicInteger();
  private volatile Trouble trouble = Trouble.REFUSED;
  private volatile int every;

  public Witness(Broker target) {
    super(target);
  }

  /** Lets every so manieth commit of a worker go wrong; 0 for none. */
  public void trouble(Trouble what, int each) {
    trouble = what;
    every = each;
  }

  public static boolean settles(CommitRequest request) {
    return request.operations().stream().anyMatch(Operation.SettleMessage.class::isInstance);
  }

  @Override
  public Result<JournalPage> journal(JournalRequest request) {
    journalReads.incrementAndGet();
    return super.journal(request);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    int each = every;
    if (each > 0 && settles(request) && settling.incrementAndGet() % each == 1 % each) {
      troubles.incrementAndGet();
      if (trouble == Trouble.NOT_ACKED) {
        storeWithoutAcks(request);
      }
      return Result.refused(ErrorCode.SHARD_STOPPED, "something went wrong");
    }
    // In the order they were asked for: answers may overtake each other.
    commits.add(request);
    Result<Committed> result = super.commit(request);
    if (!result.isOk()) {
      commits.remove(request);
    }
    return result;
  }

  private void storeWithoutAcks(CommitRequest request) {
    List<Operation> rest =
        request.operations().stream()
            .filter(one -> !(one instanceof Operation.SettleMessage))
            .toList();
    if (!rest.isEmpty()) {
      super.commit(new CommitRequest(rest, null)).orThrow();
    }
  }
}
