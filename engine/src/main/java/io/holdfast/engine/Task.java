package io.holdfast.engine;

import io.holdfast.api.commit.Operation;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.query.ShardView;
import io.holdfast.engine.store.StoreException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** Something for the shard to do, and where the answer goes. */
sealed interface Task {
  /** What a task costs besides its payload. */
  int BASE_BYTES = 200;

  /** Fails the task, which did nothing. */
  void stop(Reply.Refused refusal);

  long bytes();

  default boolean isPush() {
    return false;
  }

  /** A command to be applied and logged. */
  record Apply(Command command, long bytes, Pending<Reply> answer) implements Task {
    static Apply of(Command command) {
      return of(command, new Pending<>());
    }

    static Apply of(Command command, Pending<Reply> answer) {
      return new Apply(command, BASE_BYTES + size(command), answer);
    }

    private static long size(Command command) {
      return switch (command) {
        case Command.PushMessages push -> {
          long size = 0;
          for (Packed packed : push.lanes()) {
            size += packed.bytes().length;
          }
          yield size;
        }
        case Command.CommitOperations commit -> {
          long size = 0;
          for (Command.Part part : commit.parts()) {
            size += BASE_BYTES + size(part);
          }
          yield size;
        }
        case Command.SettleMessages settle -> 100L * settle.request().settles().size();
        case Command.PopMessages pop -> 100L * pop.request().settles().size();
        default -> 0;
      };
    }

    private static long size(Command.Part part) {
      return switch (part) {
        case Command.Part.Push push -> push.messages().bytes().length;
        case Command.Part.Other other ->
            switch (other.operation()) {
              case Operation.PutRecord put -> put.value().length;
              case Operation.AppendJournal append -> {
                long size = 0;
                for (byte[] event : append.events()) {
                  size += event.length;
                }
                yield size;
              }
              default -> 0;
            };
      };
    }

    @Override
    public boolean isPush() {
      return command instanceof Command.PushMessages;
    }

    @Override
    public void stop(Reply.Refused refusal) {
      answer.complete(refusal);
    }
  }

  /** A command that is answered without being applied, because it would change nothing. */
  record Answered(Apply asked, Reply reply) implements Task {
    @Override
    public void stop(Reply.Refused refusal) {
      asked.stop(refusal);
    }

    @Override
    public long bytes() {
      return asked.bytes();
    }
  }

  /** A look at the state between two commands. */
  record Look<T>(Function<ShardView, T> question, Pending<Answer<T>> answer) implements Task {
    @Override
    public long bytes() {
      return BASE_BYTES;
    }

    @Override
    public void stop(Reply.Refused refusal) {
      answer.complete(new Answer.No<>(refusal));
    }
  }

  /**
   * A replacement of the store by a checkpoint, between two batches.
   *
   * @param position the position that the checkpoint contains
   * @param answer why it was refused and nothing has changed; empty if the store was replaced
   */
  record Replace(
      Path checkpoint, LogPosition position, Pending<Answer<Optional<StoreException>>> answer)
      implements Task {
    @Override
    public long bytes() {
      return BASE_BYTES;
    }

    @Override
    public void stop(Reply.Refused refusal) {
      answer.complete(new Answer.No<>(refusal));
    }
  }

  /** What a look saw, or why there was none. */
  sealed interface Answer<T> {
    record Yes<T>(T value) implements Answer<T> {}

    record No<T>(Reply.Refused refusal) implements Answer<T> {}
  }
}
