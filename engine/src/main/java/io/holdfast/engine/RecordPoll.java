package io.holdfast.engine;

import io.holdfast.api.Result;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.query.StoredRows;
import org.jspecify.annotations.Nullable;

/** A read of a record, which waits for a newer version if it is asked to. */
final class RecordPoll extends LongPoll<Result<StoredRecord>, StoredRecord> {
  private final Shard shard;
  private final StoreThreads reads;
  private final RecordRequest request;
  private @Nullable Result<StoredRecord> last;

  RecordPoll(Shared shared, Shard shard, StoreThreads reads, RecordRequest request) {
    super(shared, request.waitMs());
    this.shard = shard;
    this.reads = reads;
    this.request = request;
  }

  @Override
  Waiters.@Nullable Waiter enter(Waiters waiters) {
    return waiters.enter(new WaitKey.Row(request.key()), this::wake);
  }

  @Override
  void send(Pending<Result<StoredRecord>> reply) {
    shard.whenReadable(
        unreadable -> {
          if (unreadable == null) {
            reads.read(
                snapshot -> Result.ok(new StoredRows(snapshot).record(request.key())), reply);
          } else {
            reply.complete(Result.refused(unreadable.refusal()));
          }
        });
  }

  @Override
  void received(Result<StoredRecord> now) {
    last = now;
    Reply.Refused stopped = shard.stopped();
    if (!waits() || !now.isOk() || now.orThrow().version() > request.newerThan()) {
      end(now);
    } else if (stopped != null) {
      end(Result.refused(stopped.refusal()));
    } else {
      awaitUntil(deadlineNanos());
    }
  }

  @Override
  void giveUp() {
    if (last != null) {
      end(last);
    }
  }
}
