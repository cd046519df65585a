package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.engine.command.Command.Part;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Sealer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Replies of the shard as results of the API. */
final class Answers {
  private Answers() {}

  static <R extends Reply, T> Result<T> of(Reply reply, Class<R> type, Function<R, T> answer) {
    return reply instanceof Reply.Refused refused
        ? Result.refused(refused.refusal())
        : Result.ok(answer.apply(type.cast(reply)));
  }

  /** What a look found, or that there is no such thing. */
  static <T> Result<T> found(@Nullable T value, String absent) {
    return value == null ? Result.refused(ErrorCode.NOT_FOUND, absent) : Result.ok(value);
  }

  static <T> Result<T> of(Task.Answer<Result<T>> answer) {
    return switch (answer) {
      case Task.Answer.Yes<Result<T>> yes -> yes.value();
      case Task.Answer.No<Result<T>> no -> Result.refused(no.refusal().refusal());
    };
  }

  static Pushed pushed(Reply.PushedMessages reply) {
    PushedMessage[] messages = new PushedMessage[reply.count()];
    for (Reply.PushedMessages.Run run : reply.runs()) {
      for (int i = 0; i < run.items().length; i++) {
        messages[run.items()[i]] =
            new PushedMessage(
                MessageId.uuid(run.createdMs(), run.partition(), run.firstSeq() + i),
                false,
                run.partition());
      }
    }
    for (Reply.PushedMessages.Duplicate duplicate : reply.duplicates()) {
      messages[duplicate.item()] = new PushedMessage(duplicate.id(), true, duplicate.partition());
    }
    return new Pushed(Arrays.asList(messages));
  }

  static Result<Extended> extended(Reply reply) {
    return of(reply, Reply.ExtendedLease.class, Reply.ExtendedLease::extended);
  }

  static Popped popped(Reply.PoppedMessages reply) {
    String leaseId = reply.lease() == LeaseId.NONE ? "" : LeaseId.text(reply.lease());
    List<Delivery> messages = new ArrayList<>(reply.messages().size());
    for (Reply.Taken taken : reply.messages()) {
      messages.add(
          new Delivery(
              message(taken), leaseId, taken.attempt(), taken.failures(), taken.expiries()));
    }
    return new Popped(
        messages,
        leaseId,
        reply.leaseUntilMs(),
        reply.reason(),
        reply.retryAtMs(),
        reply.settled());
  }

  private static Message message(Reply.Taken taken) {
    return taken
        .chunk()
        .message(
            taken.queue(),
            taken.partition(),
            new Position(taken.partitionId(), taken.lane(), taken.seq()),
            taken.offset(),
            taken.chunk().enteredMs());
  }

  /** The operations of a commit; pushes to one lane that follow each other are packed together. */
  static List<Part> parts(CommitRequest request, Sealer sealer) {
    List<Operation> operations = request.operations();
    List<Part> parts = new ArrayList<>(operations.size());
    for (int i = 0; i < operations.size(); ) {
      if (operations.get(i) instanceof Operation.PushMessage push) {
        int end = i + 1;
        while (end < operations.size() && isAlike(push, operations.get(end))) {
          end++;
        }
        for (Packed packed : Packed.of(messages(operations.subList(i, end)), sealer)) {
          parts.add(new Part.Push(packed, push.ignoreDuplicate()));
        }
        i = end;
      } else {
        parts.add(new Part.Other(operations.get(i++)));
      }
    }
    return parts;
  }

  private static List<NewMessage> messages(List<Operation> pushes) {
    List<NewMessage> messages = new ArrayList<>(pushes.size());
    for (Operation push : pushes) {
      messages.add(((Operation.PushMessage) push).message());
    }
    return messages;
  }

  /** Whether an operation pushes to the lane of another one, and is due at once like that. */
  private static boolean isAlike(Operation.PushMessage push, Operation next) {
    return next instanceof Operation.PushMessage other
        && other.ignoreDuplicate() == push.ignoreDuplicate()
        && push.message().delayMs() == 0
        && push.message().visibleAtMs() == 0
        && other.message().delayMs() == 0
        && other.message().visibleAtMs() == 0
        && other.message().lane() == push.message().lane()
        && other.message().partition().equals(push.message().partition())
        && other.message().queue().equals(push.message().queue());
  }
}
