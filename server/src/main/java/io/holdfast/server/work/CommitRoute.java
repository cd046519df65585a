package io.holdfast.server.work;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Committed.Step;
import io.holdfast.api.commit.Operation;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.AckAnswer;
import io.holdfast.server.queen.PartitionIds;
import io.holdfast.server.queen.Refusals;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settles, pushes, cancels, journals and records, all or none. */
public final class CommitRoute {
  private static final int ANSWER_BYTES = 180;

  private final Broker broker;

  public CommitRoute(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.async(
                Route.Method.POST,
                "/api/v1/commit",
                Access.CHANGE,
                "Commits",
                "Settle, push, cancel, and write journals and records, all or none",
                this::commit)
            .traffic("kill", "cancel", "remove-dead-letters", "settle-lease")
            .body(
                Shape.fields(
                    Shape.required(
                        "operations",
                        Shape.array(OperationItem.SHAPE),
                        "What to do, in order: each sees what the earlier ones did."),
                    Shape.optional(
                        "requestId",
                        Shape.TEXT,
                        "Makes a repeat harmless: it is answered what the first was.")))
            .answers(200, "all was done; one result for each operation", SHAPE)
            .answers(409, "nothing was done; field names the operation that was refused"));
  }

  /** A commit as it came. */
  private record Wish(List<OperationItem> items, @Nullable String requestId) {}

  private AsyncAnswer<Committed> commit(Call call) {
    Wish wish = call.json(CommitRoute::read);
    List<Operation> operations = wish.items().stream().map(OperationItem::operation).toList();
    return new AsyncAnswer<>(
        broker.commitAsync(new CommitRequest(operations, wish.requestId())),
        result -> answer(wish, Refusals.orThrow(result)));
  }

  private static Answer answer(Wish wish, Committed committed) {
    JsonOut out = new JsonOut(ANSWER_BYTES * wish.items().size() + 50);
    out.beginObject().put("success", true).beginArray("results");
    for (int i = 0; i < wish.items().size(); i++) {
      OperationItem item = wish.items().get(i);
      Step step = i < committed.steps().size() ? committed.steps().get(i) : null;
      if (step == null || !matches(item.operation(), step)) {
        throw Problem.of(
            409,
            "REQUEST_ID_USED",
            "requestId: another request has used it, with other operations");
      }
      out.beginObject().put("index", i).put("type", item.type());
      write(out, item, step);
      out.endObject();
    }
    return Answer.ok(out.endArray().endObject());
  }

  private static boolean matches(Operation operation, Step step) {
    return switch (operation) {
      case Operation.SettleMessage settle -> step instanceof Step.MessageSettled;
      case Operation.PushMessage push -> step instanceof Step.MessagePushed;
      case Operation.CancelMessage cancel -> step instanceof Step.MessageCancelled;
      case Operation.AppendJournal append -> step instanceof Step.JournalAppended;
      case Operation.DeleteJournal delete -> step instanceof Step.JournalDeleted;
      case Operation.PutRecord put -> step instanceof Step.RecordPut;
      case Operation.DeleteRecord delete -> step instanceof Step.RecordDeleted;
      case Operation.RemoveDead remove -> step instanceof Step.DeadRemoved;
    };
  }

  private static void write(JsonOut out, OperationItem item, Step step) {
    switch (step) {
      case Step.MessageSettled settled -> {
        if (item.ack() != null) {
          AckAnswer.writeFields(out, item.ack(), settled.verdict());
        }
      }
      case Step.MessagePushed pushed ->
          out.put("messageId", pushed.message().id().toString())
              .put("partitionId", PartitionIds.text(pushed.message().partition()))
              .put("duplicate", pushed.message().duplicate());
      case Step.MessageCancelled cancelled -> out.put("found", cancelled.found());
      case Step.JournalAppended appended -> out.put("position", appended.position());
      case Step.JournalDeleted deleted -> out.put("found", deleted.found());
      case Step.RecordPut put -> out.put("version", put.version());
      case Step.RecordDeleted deleted -> out.put("found", deleted.found());
      case Step.DeadRemoved removed -> out.put("count", removed.count());
    }
  }

  private static Wish read(JsonIn in) {
    List<OperationItem> items = null;
    String requestId = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "operations" -> items = in.list(Limits.OPERATIONS_MAX, OperationItem::read);
        case "requestId" -> requestId = in.textOrNull();
        default -> throw in.unknown("operations", "requestId");
      }
    }
    if (items == null) {
      throw Problem.field("operations", "expected an array of operations, but there is none");
    }
    return new Wish(items, requestId);
  }

  private static final Shape SHAPE =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required(
              "results",
              Shape.array(
                  Shape.fields(
                      Shape.required("index", Shape.WHOLE, "Which operation."),
                      Shape.required("type", Shape.TEXT, "As it was sent."),
                      Shape.optional("message", Shape.TEXT, "Of a settle: what became of it."),
                      Shape.optional("count", Shape.WHOLE, "Of a whole lease: how many messages."),
                      Shape.optional("messageId", Shape.TEXT, "Of a push: the message's id."),
                      Shape.optional("partitionId", Shape.TEXT, "Of a push: its partition."),
                      Shape.optional(
                          "duplicate", Shape.FLAG, "Of a push: whether it was there already."),
                      Shape.optional(
                          "found", Shape.FLAG, "Of a cancel or delete: whether it was there."),
                      Shape.optional(
                          "position", Shape.WHOLE, "Of an append: how many events there are now."),
                      Shape.optional("version", Shape.WHOLE, "Of a putRecord: its version now."))),
              "What each operation did, in order."));
}
