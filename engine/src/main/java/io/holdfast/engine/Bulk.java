package io.holdfast.engine;

import io.holdfast.api.Result;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Reply;
import java.util.function.LongFunction;

/**
 * Operations over very many things, done in bounded steps, so that they hold nobody up.
 *
 * <p>Only the first step may find the mailbox full: what has begun is not refused halfway.
 */
final class Bulk {
  private final Shard shard;

  Bulk(Shard shard) {
    this.shard = shard;
  }

  private Reply step(Command command, boolean begun) {
    return begun ? shard.continueWith(command) : shard.apply(command);
  }

  Result<Sought> seek(SeekRequest request) {
    long partitions = 0;
    boolean clamped = false;
    String from = null;
    while (true) {
      Reply reply = step(new Command.SeekGroup(request, from), from != null);
      if (!(reply instanceof Reply.SoughtGroup part)) {
        return Result.refused(((Reply.Refused) reply).refusal());
      }
      partitions += part.sought().partitions();
      clamped |= part.sought().clamped();
      from = part.next();
      if (from == null) {
        return Result.ok(new Sought(partitions, clamped, part.sought().lag()));
      }
    }
  }

  Result<Affected> purge(PurgeRequest request) {
    long purged = 0;
    String from = null;
    while (true) {
      Reply reply =
          step(new Command.PurgeQueue(request.queue(), request.partition(), from), from != null);
      if (!(reply instanceof Reply.PurgedPart part)) {
        return refusal(reply);
      }
      purged += part.count();
      from = part.next();
      if (from == null) {
        return Result.ok(new Affected(purged));
      }
    }
  }

  /** Goes over dead letters, by their numbers. */
  Result<Affected> overDead(LongFunction<Command> step) {
    long count = 0;
    long after = 0;
    while (after >= 0) {
      Reply reply = step(step.apply(after), after > 0);
      if (!(reply instanceof Reply.ChangedPart part)) {
        return refusal(reply);
      }
      count += part.count();
      after = part.next();
    }
    return Result.ok(new Affected(count));
  }

  private static Result<Affected> refusal(Reply reply) {
    return Result.refused(((Reply.Refused) reply).refusal());
  }
}
