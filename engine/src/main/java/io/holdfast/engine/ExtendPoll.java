package io.holdfast.engine;

import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import org.jspecify.annotations.Nullable;

/** An extend, which waits for news about its lease if it is asked to. */
final class ExtendPoll extends LongPoll<Reply, Extended> {
  private final Shard shard;
  private final ExtendRequest request;

  /** After the first time the lease is only asked about, which the shortest extension does. */
  private long leaseMs;

  private @Nullable Reply last;

  ExtendPoll(Shared shared, Shard shard, ExtendRequest request) {
    super(shared, request.waitMs());
    this.shard = shard;
    this.request = request;
    this.leaseMs = request.leaseMs();
  }

  @Override
  Waiters.@Nullable Waiter enter(Waiters waiters) {
    return waiters.enter(new WaitKey.Lease(LeaseId.number(request.leaseId())), this::wake);
  }

  @Override
  void send(Pending<Reply> reply) {
    Command command = new Command.ExtendLease(request.leaseId(), leaseMs);
    if (last == null) {
      shard.submit(command, reply);
    } else {
      shard.submitLater(command, reply);
    }
  }

  @Override
  void received(Reply reply) {
    last = reply;
    if (waits() && reply instanceof Reply.ExtendedLease extended && !extended.news()) {
      leaseMs = 1;
      awaitUntil(deadlineNanos());
    } else {
      end(Answers.extended(reply));
    }
  }

  @Override
  void giveUp() {
    if (last != null) {
      end(Answers.extended(last));
    }
  }
}
