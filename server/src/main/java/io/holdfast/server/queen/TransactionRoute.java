package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
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
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pushes and settles, all or none. */
public final class TransactionRoute {
  private static final int ANSWER_BYTES = 220;

  private final Broker broker;
  private final LeaseFence fence;

  public TransactionRoute(Broker broker) {
    this.broker = broker;
    this.fence = new LeaseFence(broker);
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/v1/transaction",
                Access.CHANGE,
                "Messages",
                "Push and settle, all or none",
                this::transact)
            .traffic("kill")
            .body(
                Shape.fields(
                    Shape.required(
                        "operations", Shape.array(TransactionItem.SHAPE), "What to do, in order."),
                    Shape.optional(
                        "requiredLeases",
                        Shape.array(Shape.TEXT),
                        "The leases of acks that name none: such an ack is applied only if one of"
                            + " these holds its message."),
                    Shape.optional(
                        "requestId",
                        Shape.TEXT,
                        "Makes a repeat harmless: it is answered what the first was."),
                    Shape.optional("kv", Shape.array(Shape.ANY), "Not supported: empty only."),
                    Shape.optional("timers", Shape.array(Shape.ANY), "Not supported: empty only."),
                    Shape.optional(
                        "positions", Shape.array(Shape.ANY), "Not supported: empty only.")))
            .answers(200, "decided; success says whether all or nothing was done", SHAPE));
  }

  /** A transaction as it came. */
  private record Wish(
      List<TransactionItem> items, Set<String> requiredLeases, @Nullable String requestId) {}

  /** One operation for the broker, and where it came from. */
  private record Part(
      int operation, Operation asked, @Nullable NewMessage message, @Nullable AckItem ack) {}

  private Answer transact(Call call) {
    Wish wish = call.json(TransactionRoute::read);
    List<Part> parts = parts(wish);
    String requestId = wish.requestId();
    Result<Committed> result =
        broker.commit(new CommitRequest(parts.stream().map(Part::asked).toList(), requestId));
    String id = requestId == null ? UUID.randomUUID().toString() : requestId;
    return result instanceof Result.Ok<Committed> ok
        ? done(id, parts, ok.value().steps())
        : undone(id, parts, result.refusal());
  }

  private List<Part> parts(Wish wish) {
    List<Part> parts = new ArrayList<>();
    Set<List<String>> names = new HashSet<>();
    for (int i = 0; i < wish.items().size(); i++) {
      switch (wish.items().get(i)) {
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
          String lease = fence.leaseOf(ack.item(), wish.requiredLeases());
          int index = i;
          parts.add(
              new Part(
                  i,
                  new Operation.SettleMessage(
                      ack.item().settle(() -> "operations[" + index + "]", null, lease)),
                  null,
                  ack.item()));
        }
      }
    }
    return parts;
  }

  private static Answer done(String id, List<Part> parts, List<Step> steps) {
    JsonOut out = new JsonOut(ANSWER_BYTES * parts.size() + 100);
    out.beginObject().put("transactionId", id).put("success", true).beginArray("results");
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      Step step = i < steps.size() ? steps.get(i) : null;
      out.beginObject().put("index", i).put("opIndex", part.operation());
      if (part.message() != null && step instanceof Step.MessagePushed pushed) {
        writePush(out, part.message(), pushed.message());
      } else if (part.ack() != null && step instanceof Step.MessageSettled settled) {
        out.put("type", "ack");
        AckAnswer.writeFields(out, part.ack(), settled.verdict());
      } else {
        throw Problem.of(
            409,
            "REQUEST_ID_USED",
            "requestId: another request has used it, with other operations");
      }
      out.endObject();
    }
    return Answer.ok(out.endArray().endObject());
  }

  private static void writePush(JsonOut out, NewMessage item, PushedMessage message) {
    String id = message.id().toString();
    String name = item.transactionId();
    out.put("type", "push")
        .put("success", true)
        .put("transactionId", name == null ? id : name)
        .put("messageId", id)
        .put("queueName", item.queue())
        .put("partitionId", PartitionIds.text(message.partition()))
        .put("duplicate", message.duplicate());
  }

  private static Answer undone(String id, List<Part> parts, Refusal why) {
    boolean later =
        switch (why.code()) {
          case FULL, OVERLOADED, CLOSED, SHARD_STOPPED, UNSUPPORTED, KEY_MISSING -> true;
          default -> false;
        };
    int failed = why.operation();
    if (later || failed < 0) {
      throw Problem.refused(why);
    }
    boolean ack = parts.get(failed).ack() != null;
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("transactionId", id)
            .put("success", false)
            .put("error", ack ? ackError(why) : "PUSH operation failed: " + why.detail())
            .put("reason", reason(ack, why.code()))
            .put("code", why.code().name())
            .put("failedIndex", failed)
            .put("opIndex", parts.get(failed).operation())
            .beginArray("results")
            .endArray()
            .endObject());
  }

  private static String ackError(Refusal why) {
    SettleVerdict.Status status = SettleVerdict.Status.valueOf(why.code().name());
    return "ACK operation failed: " + AckAnswer.error(status);
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

  private static Wish read(JsonIn in) {
    List<TransactionItem> items = null;
    Set<String> requiredLeases = Set.of();
    String requestId = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "operations" -> items = in.list(Limits.OPERATIONS_MAX, TransactionItem::read);
        case "requiredLeases" -> requiredLeases = LeaseFence.readRequired(in);
        case "requestId" -> requestId = in.textOrNull();
        case "kv", "timers", "positions" -> expectEmpty(field, in);
        default ->
            throw in.unknown(
                "operations", "requiredLeases", "requestId", "kv", "timers", "positions");
      }
    }
    return wish(items, requiredLeases, requestId);
  }

  private static Wish wish(
      @Nullable List<TransactionItem> items, Set<String> leases, @Nullable String requestId) {
    if (items == null) {
      throw Problem.required("operations", "operations array required");
    }
    if (items.isEmpty()) {
      throw Problem.required("operations", "operations array cannot be empty");
    }
    if (!leases.isEmpty() && items.stream().noneMatch(TransactionItem.Ack.class::isInstance)) {
      throw Problem.field(
          "requiredLeases", "expected an ack that they are for, but there are only pushes");
    }
    return new Wish(items, leases, requestId);
  }

  private static void expectEmpty(String field, JsonIn in) {
    if (in.isNull()) {
      return;
    }
    in.beginArray();
    if (in.nextElement()) {
      throw Problem.unsupported(field, "this broker has no such operations; leave it out or empty");
    }
  }

  private static final Shape SHAPE =
      Shape.fields(
          Shape.required("transactionId", Shape.TEXT, "The requestId, or an id made for it."),
          Shape.required("success", Shape.FLAG, "true: all was done. false: nothing was."),
          Shape.required(
              "results",
              Shape.array(
                  Shape.fields(
                      Shape.required("index", Shape.WHOLE, "Which result."),
                      Shape.required("opIndex", Shape.WHOLE, "Which operation it is of."),
                      Shape.required("type", Shape.words("push", "ack"), "What it is."),
                      Shape.required("success", Shape.FLAG, "true."),
                      Shape.required("transactionId", Shape.TEXT, "The message's name."),
                      Shape.optional("messageId", Shape.TEXT, "Of a push: its id."),
                      Shape.optional("queueName", Shape.QUEUE, "Of a push: its queue."),
                      Shape.optional("partitionId", Shape.TEXT, "Of a push: its partition."),
                      Shape.optional(
                          "duplicate", Shape.FLAG, "Of a push: whether it was there already."),
                      Shape.optional("message", Shape.TEXT, "Of an ack: what became of it."),
                      Shape.optional("dlq", Shape.FLAG, "Of an ack: whether it is dead now."))),
              "One for each message pushed or settled, in order; none if nothing was done."),
          Shape.optional("error", Shape.TEXT, "Why nothing was done."),
          Shape.optional(
              "reason",
              Shape.words("ack_rejected", "duplicate", "too_large", "push_rejected"),
              "The same in a word."),
          Shape.optional("code", Shape.TEXT, "The same for programs."),
          Shape.optional("failedIndex", Shape.WHOLE, "Which result it would have been."),
          Shape.optional("opIndex", Shape.WHOLE, "Which operation it was."));
}
