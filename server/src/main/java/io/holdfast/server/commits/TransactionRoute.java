package io.holdfast.server.commits;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Committed.Step;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.leases.AckAnswer;
import io.holdfast.server.leases.AckItem;
import io.holdfast.server.leases.LeaseFence;
import io.holdfast.server.messages.PushRoute;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Pushes and settles, all or none: Queen's form of a commit. */
public final class TransactionRoute {
  private static final Field<List<TransactionItem>> OPERATIONS =
      Field.required(
              "operations",
              Json.list(TransactionItem.TYPE, Limits.OPERATIONS_MAX),
              "What to do, in order.")
          .missing("operations array required");
  private static final Field<List<String>> REQUIRED_LEASES =
      Field.optional(
          "requiredLeases",
          Json.list(Json.TEXT, Limits.OPERATIONS_MAX),
          List.of(),
          "The leases of acks that name none: such an ack is applied only if one of these holds its"
              + " message.");
  private static final Field<List<byte[]>> KV = unsupported("kv");
  private static final Field<List<byte[]>> TIMERS = unsupported("timers");
  private static final Field<List<byte[]>> POSITIONS = unsupported("positions");

  private static final JsonType<Values> BODY =
      Json.object(
          TransactionRoute::checked,
          OPERATIONS,
          REQUIRED_LEASES,
          PushRoute.REQUEST_ID,
          KV,
          TIMERS,
          POSITIONS);

  /** One operation for the broker, and where it came from. */
  private record Part(
      int operation, Operation asked, @Nullable NewMessage message, @Nullable AckItem ack) {}

  /** What a part did. */
  private record PartResult(int index, Part part, Step step) {
    @Nullable AckAnswer ack() {
      return part.ack() != null && step instanceof Step.MessageSettled settled
          ? new AckAnswer(index, part.ack(), settled.verdict())
          : null;
    }
  }

  private static final JsonType<PartResult> PART =
      JsonObject.of(PartResult.class)
          .whole("index", PartResult::index, "Which result.")
          .whole("opIndex", result -> result.part().operation(), "Which operation it is of.")
          .field(
              "type",
              Json.word("push", "ack"),
              result -> result.part().ack() == null ? "push" : "ack",
              "What it is.")
          .includeOptional(AckAnswer.FIELDS, PartResult::ack)
          .includeOptional(
              JsonObject.of(PartResult.class)
                  .flag("success", result -> true, "true.")
                  .text(
                      "transactionId",
                      pushed((message, done) -> name(message, done)),
                      "The message's name.")
                  .text(
                      "messageId",
                      pushed((message, done) -> done.id().toString()),
                      "Of a push: its id.")
                  .queue(
                      "queueName",
                      pushed((message, done) -> message.queue()),
                      "Of a push: its queue.")
                  .text(
                      "partitionId",
                      pushed((message, done) -> PartitionIds.text(done.partition())),
                      "Of a push: its partition.")
                  .flag(
                      "duplicate",
                      result ->
                          result.step() instanceof Step.MessagePushed done
                              && done.message().duplicate(),
                      "Of a push: whether it was there already."),
              result -> result.part().ack() == null ? result : null)
          .type();

  /** What a transaction did: all, or nothing and why. */
  private record Outcome(
      String id, List<PartResult> results, @Nullable Refusal why, @Nullable Part failed) {
    boolean isAck() {
      return failed != null && failed.ack() != null;
    }

    <V> @Nullable V failure(Function<Refusal, V> part) {
      return why == null ? null : part.apply(why);
    }
  }

  private static final JsonType<Outcome> OUTCOME =
      JsonObject.of(Outcome.class)
          .text("transactionId", Outcome::id, "The requestId, or an id made for it.")
          .flag(
              "success",
              outcome -> outcome.why() == null,
              "true: all was done. false: nothing was.")
          .optional(
              "error",
              Json.TEXT,
              outcome -> outcome.failure(why -> error(outcome.isAck(), why)),
              "Why nothing was done.")
          .optional(
              "reason",
              Json.word("ack_rejected", "duplicate", "too_large", "push_rejected"),
              outcome -> outcome.failure(why -> reason(outcome.isAck(), why.code())),
              "The same in a word.")
          .optional(
              "code",
              Json.TEXT,
              outcome -> outcome.failure(why -> why.code().name()),
              "The same for programs.")
          .optional(
              "failedIndex",
              Json.WHOLE,
              outcome -> outcome.failure(why -> (long) why.operation()),
              "Which result it would have been.")
          .optional(
              "opIndex",
              Json.WHOLE,
              outcome -> outcome.failed() == null ? null : (long) outcome.failed().operation(),
              "Which operation it was.")
          .list(
              "results",
              PART,
              Outcome::results,
              "One for each message pushed or settled, in order; none if nothing was done.")
          .type();

  private TransactionRoute() {}

  public static List<Route> routes() {
    return Route.about(
        "Messages",
        Route.post("/api/v1/transaction", Access.CHANGE)
            .summary("Push and settle, all or none")
            .traffic("kill")
            .keyedByBroker()
            .example(
                "{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"orders\","
                    + "\"payload\":{\"hello\":\"world\"}}]}]}")
            .body(BODY)
            .answers(
                "decided; success says whether all or nothing was done",
                OUTCOME,
                TransactionRoute::transact));
  }

  private static Field<List<byte[]>> unsupported(String name) {
    return Field.optional(
        name, Json.list(Json.ANY, Integer.MAX_VALUE), List.of(), "Not supported: empty only.");
  }

  private static Values checked(Values in) {
    for (Field<List<byte[]>> field : List.of(KV, TIMERS, POSITIONS)) {
      if (!in.get(field).isEmpty()) {
        throw Problem.unsupported(
            field.name(), "this broker has no such operations; leave it out or empty");
      }
    }
    List<TransactionItem> items = in.get(OPERATIONS);
    if (items.isEmpty()) {
      throw JsonException.missing("operations", "operations array cannot be empty");
    }
    int blank = in.get(REQUIRED_LEASES).indexOf("");
    if (blank >= 0) {
      throw JsonException.field(
          "requiredLeases[" + blank + "]", "expected the id of a lease, but got an empty text");
    }
    if (!in.get(REQUIRED_LEASES).isEmpty()
        && items.stream().noneMatch(TransactionItem.Ack.class::isInstance)) {
      throw new InvalidArgumentException(
          "requiredLeases: expected an ack that they are for, but there are only pushes");
    }
    return in;
  }

  private static Outcome transact(Call call) {
    Values in = call.json(BODY);
    List<Part> parts = parts(call, in);
    String requestId = call.requestId(in.find(PushRoute.REQUEST_ID));
    Result<Committed> result =
        call.broker()
            .commit(new CommitRequest(parts.stream().map(Part::asked).toList(), requestId));
    String id = requestId == null ? UUID.randomUUID().toString() : requestId;
    return result instanceof Result.Ok<Committed> ok
        ? new Outcome(id, results(parts, ok.value().steps()), null, null)
        : refused(id, parts, result.refusal());
  }

  private static List<Part> parts(Call call, Values in) {
    List<TransactionItem> items = in.get(OPERATIONS);
    Set<String> requiredLeases = new LinkedHashSet<>(in.get(REQUIRED_LEASES));
    LeaseFence fence = new LeaseFence(call.broker());
    List<Part> parts = new ArrayList<>();
    Set<List<String>> names = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      switch (items.get(i)) {
        case TransactionItem.Push push -> {
          for (NewMessage message : push.messages()) {
            String name = message.transactionId();
            // Of a name that comes twice in one call, the second is a repeat of the first.
            boolean repeat =
                name != null && !names.add(List.of(message.queue(), message.partition(), name));
            parts.add(
                new Part(
                    i,
                    new Operation.PushMessage(message, push.ignoreDuplicates() || repeat),
                    message,
                    null));
          }
        }
        case TransactionItem.Ack ack -> {
          String lease = fence.leaseOf(ack.item(), requiredLeases);
          parts.add(
              new Part(
                  i,
                  new Operation.SettleMessage(ack.item().settle(null, lease)),
                  null,
                  ack.item()));
        }
      }
    }
    return parts;
  }

  private static List<PartResult> results(List<Part> parts, List<Step> steps) {
    List<PartResult> results = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      Step step = i < steps.size() ? steps.get(i) : null;
      boolean matches =
          part.ack() == null
              ? step instanceof Step.MessagePushed
              : step instanceof Step.MessageSettled;
      if (step == null || !matches) {
        throw CommitRoute.requestIdUsed();
      }
      results.add(new PartResult(i, part, step));
    }
    return results;
  }

  /** A part of the answer to a push. */
  @FunctionalInterface
  private interface OfPush {
    String apply(NewMessage message, PushedMessage pushed);
  }

  private static Function<PartResult, String> pushed(OfPush part) {
    return result ->
        result.part().message() != null && result.step() instanceof Step.MessagePushed done
            ? part.apply(result.part().message(), done.message())
            : "";
  }

  private static String name(NewMessage message, PushedMessage pushed) {
    String name = message.transactionId();
    return name == null ? pushed.id().toString() : name;
  }

  private static Outcome refused(String id, List<Part> parts, Refusal why) {
    boolean later =
        switch (why.code()) {
          case FULL, OVERLOADED, CLOSED, SHARD_STOPPED, UNSUPPORTED, KEY_MISSING -> true;
          default -> false;
        };
    if (later || why.operation() < 0) {
      throw Problem.refused(why);
    }
    return new Outcome(id, List.of(), why, parts.get(why.operation()));
  }

  private static String error(boolean ack, Refusal why) {
    return ack
        ? "ACK operation failed: "
            + AckAnswer.error(SettleVerdict.Status.valueOf(why.code().name()))
        : "PUSH operation failed: " + why.detail();
  }

  private static String reason(boolean ack, ErrorCode code) {
    if (ack) {
      return "ack_rejected";
    }
    return switch (code) {
      case DUPLICATE -> "duplicate";
      case TOO_LARGE -> "too_large";
      default -> "push_rejected";
    };
  }
}
