package io.holdfast.server.commits;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.json.objects.PushResult;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.leases.AckAnswer;
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

  /** One operation for the broker, and the number of the one in the request that it came from. */
  private record Part(int number, OperationItem item) {
    boolean isAck() {
      return item.ack() != null;
    }
  }

  /** What a part did. */
  private record PartResult(Part part, OperationResult result) {}

  /** A message that was pushed. */
  private static final JsonObject<PushResult> PUSHED =
      JsonObject.of(PushResult.class)
          .flag("success", push -> true, "true.")
          .textOrId(
              "transactionId",
              push -> push.message().transactionId(),
              push -> push.pushed().id(),
              "The message's name.")
          .id("messageId", push -> push.pushed().id(), "Of a push: its id.")
          .queue("queueName", push -> push.message().queue(), "Of a push: its queue.")
          .text(
              "partitionId",
              push -> PartitionIds.text(push.pushed().partition()),
              "Of a push: its partition.")
          .flag(
              "duplicate",
              push -> push.pushed().duplicate(),
              "Of a push: whether it was there already.");

  private static final JsonType<PartResult> PART =
      JsonObject.of(PartResult.class)
          .whole("index", done -> done.result().index(), "Which result.")
          .whole("opIndex", done -> done.part().number(), "Which operation it is of.")
          .field("type", Json.word("push", "ack"), done -> done.part().item().type(), "What it is.")
          .includeOptional(AckAnswer.FIELDS, done -> done.result().ack())
          .includeOptional(PUSHED, done -> done.result().push())
          .type();

  /** What a transaction did: all, or nothing and why. */
  private record Outcome(
      String id, List<PartResult> results, @Nullable Refusal why, @Nullable Part failed) {
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
              outcome -> outcome.failure(why -> error(outcome.failed(), why)),
              "Why nothing was done.")
          .optional(
              "reason",
              Json.word("ack_rejected", "duplicate", "too_large", "push_rejected"),
              outcome -> outcome.failure(why -> reason(outcome.failed(), why.code())),
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
              outcome -> outcome.failed() == null ? null : (long) outcome.failed().number(),
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
    List<OperationItem> items = parts.stream().map(Part::item).toList();
    String requestId = call.requestId(in.find(PushRoute.REQUEST_ID));
    Result<Committed> result =
        call.broker()
            .commit(
                new CommitRequest(
                    items.stream().map(OperationItem::operation).toList(), requestId));
    String id = requestId == null ? UUID.randomUUID().toString() : requestId;
    if (!result.isOk()) {
      return refused(id, parts, result.refusal());
    }
    List<PartResult> results =
        OperationResult.of(items, result.orThrow()).stream()
            .map(done -> new PartResult(parts.get(done.index()), done))
            .toList();
    return new Outcome(id, results, null, null);
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
            Operation operation =
                new Operation.PushMessage(message, push.ignoreDuplicates() || repeat);
            parts.add(new Part(i, new OperationItem("push", operation, null)));
          }
        }
        case TransactionItem.Ack ack -> {
          String lease = fence.leaseOf(ack.item(), requiredLeases);
          Operation operation = new Operation.SettleMessage(ack.item().settle(null, lease));
          parts.add(new Part(i, new OperationItem("ack", operation, ack.item())));
        }
      }
    }
    return parts;
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

  private static String error(@Nullable Part failed, Refusal why) {
    return failed != null && failed.isAck()
        ? "ACK operation failed: "
            + AckAnswer.error(SettleVerdict.Status.valueOf(why.code().name()))
        : "PUSH operation failed: " + why.detail();
  }

  private static String reason(@Nullable Part failed, ErrorCode code) {
    if (failed != null && failed.isAck()) {
      return "ack_rejected";
    }
    return switch (code) {
      case DUPLICATE -> "duplicate";
      case TOO_LARGE -> "too_large";
      default -> "push_rejected";
    };
  }
}
