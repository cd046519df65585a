package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pop, which waits for messages if it is asked to. */
final class PopPoll extends LongPoll<Reply, Popped> {
  private static final long NANOS_PER_MS = 1_000_000;

  private static final Reply.PoppedMessages NOTHING =
      new Reply.PoppedMessages(
          List.of(), LeaseId.NONE, 0, Popped.Reason.EMPTY, 0, List.of(), false);

  private final Shard shard;
  private final SealedPops sealed;
  private final PopRequest request;

  /** What is asked next: without the settles once they are decided. */
  private PopRequest next;

  private List<SettleVerdict> settled = List.of();
  private Reply.PoppedMessages last = NOTHING;
  private boolean first = true;

  PopPoll(Shared shared, Shard shard, SealedPops sealed, PopRequest request) {
    super(shared, request.waitMs());
    this.shard = shard;
    this.sealed = sealed;
    this.request = request;
    this.next = request;
  }

  @Override
  Waiters.@Nullable Waiter enter(Waiters waiters) {
    return waiters.enter(request, this::wake);
  }

  @Override
  void send(Pending<Reply> reply) {
    Command command = new Command.PopMessages(next, sealed.keys().ids());
    if (first) {
      first = false;
      shard.submit(command, reply);
    } else {
      shard.submitLater(command, reply);
    }
  }

  @Override
  void received(Reply reply) {
    if (next.joinLease() != null && !settled.isEmpty() && isStale(reply)) {
      // The settles that came with the pop have ended the lease it was to join.
      next = next.joinLease(null);
      ask();
      return;
    }
    if (!(reply instanceof Reply.PoppedMessages popped)) {
      passOn();
      // A refusal would say that nothing happened, but what came with the pop is settled.
      finish(settled.isEmpty() ? reply : last);
      return;
    }
    if (!popped.settled().isEmpty()) {
      settled = popped.settled();
      next = request.settles(List.of());
    }
    if (popped.messages().isEmpty()) {
      nothing(popped);
      return;
    }
    if (popped.more() || knowsOfAnotherQueue()) {
      passOn();
    }
    finish(popped);
  }

  private void nothing(Reply.PoppedMessages popped) {
    if (popped.more()) {
      // The shard did not get through all there is.
      ask();
      return;
    }
    last = popped;
    // Of an unreadable message somebody has to be told, and time alone does not help.
    if (!waits() || popped.unreadable() != null) {
      finish(popped);
    } else {
      awaitUntil(nextLook(popped));
    }
  }

  @Override
  void giveUp() {
    if (last.retryAtMs() > 0) {
      // It would have looked again then; somebody else has to.
      passOn();
    }
    finish(last);
  }

  /**
   * Whether a pop over several queues knew when something is due in one of them. It was served from
   * another, of which alone {@code more} tells, and does not look again.
   */
  private boolean knowsOfAnotherQueue() {
    return request.source() instanceof PopSource.Tagged && last.retryAtMs() > 0;
  }

  private static boolean isStale(Reply reply) {
    return reply instanceof Reply.Refused refused
        && refused.refusal().code() == ErrorCode.STALE_LEASE;
  }

  /** When to ask again at the latest: at the deadline, or when something that waits is due. */
  private long nextLook(Reply.PoppedMessages popped) {
    if (popped.retryAtMs() == 0 || popped.reason() == Popped.Reason.LOCKED) {
      return deadlineNanos();
    }
    long nanos = time().nanos();
    // At once if it is due by now: time may have passed since the shard answered.
    long inMs = Math.clamp(popped.retryAtMs() - shard.nowMs(), 0, Limits.WAIT_MS_MAX);
    return nanos + inMs * NANOS_PER_MS;
  }

  private void finish(Reply reply) {
    if (!(reply instanceof Reply.PoppedMessages found)) {
      end(refused(reply));
      return;
    }
    Reply.PoppedMessages popped = settled.isEmpty() ? found : found.settled(settled);
    Refusal unreadable = popped.unreadable();
    if (unreadable != null && popped.settled().isEmpty()) {
      // A refusal would say that nothing happened, but what came with the pop is settled.
      end(Result.refused(unreadable));
      return;
    }
    Popped taken = Answers.popped(popped);
    if (SealedPops.isClear(taken)) {
      end(Result.ok(taken));
    } else {
      // Decryption takes time, and may ask the shard again.
      endLater(() -> sealed.open(request, taken));
    }
  }

  private Result<Popped> refused(Reply reply) {
    if (reply instanceof Reply.Refused refused && !request.settles().isEmpty()) {
      Refusal why = refused.refusal();
      return Result.refused(
          why.code(), why.detail() + "; none of the settles of this pop were applied");
    }
    return Answers.of(reply, Reply.PoppedMessages.class, Answers::popped);
  }

  /** Gives back what was taken after the pop was cancelled. */
  @Override
  protected void unused(Result<Popped> late) {
    if (late.isOk() && !late.orThrow().leaseId().isEmpty()) {
      shard.continueWith(
          new Command.SettleMessages(request.release(late.orThrow())), new Pending<>(any -> {}));
    }
  }
}
