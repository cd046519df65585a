package io.holdfast.server.commits;

import io.holdfast.api.Limits;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Committed.Step;
import io.holdfast.api.commit.Operation;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import io.holdfast.server.messages.PushRoute;
import java.util.ArrayList;
import java.util.List;

/** Settles, pushes, cancels, journals and records, all or none. */
public final class CommitRoute {
  private static final Field<List<OperationItem>> OPERATIONS =
      Field.required(
          "operations",
          Json.list(OperationItem.TYPE, Limits.OPERATIONS_MAX),
          "What to do, in order: each sees what the earlier ones did.");
  private static final JsonType<Values> BODY =
      Json.object(in -> in, OPERATIONS, PushRoute.REQUEST_ID);

  private static final JsonType<List<OperationResult>> ANSWER =
      new JsonObject<List<OperationResult>>()
          .flag("success", results -> true, "true.")
          .list(
              "results",
              OperationResult.TYPE,
              results -> results,
              "What each operation did, in order.")
          .type();

  private CommitRoute() {}

  public static List<Route> routes() {
    return Route.about(
        JournalRecordRoutes.TOPIC,
        Route.post("/api/v1/commit", Access.CHANGE)
            .summary("Settle, push, cancel, and write journals and records, all or none")
            .traffic("kill", "cancel", "remove-dead-letters", "settle-lease")
            .keyedByBroker()
            .example(
                "{\"operations\":[{\"type\":\"push\",\"queue\":\"orders\","
                    + "\"payload\":{\"hello\":\"world\"}},"
                    + "{\"type\":\"append\",\"journal\":\"log\",\"expectedPosition\":0,\"events\":[1]}]}")
            .body(BODY)
            .answersAsync(
                200, "all was done; one result for each operation", ANSWER, CommitRoute::commit)
            .answers(409, "nothing was done; field names the operation that was refused"));
  }

  private static AsyncAnswer<Committed> commit(Call call) {
    Values in = call.json(BODY);
    List<OperationItem> items = in.get(OPERATIONS);
    List<Operation> operations = items.stream().map(OperationItem::operation).toList();
    String id = call.requestId(in.find(PushRoute.REQUEST_ID));
    return new AsyncAnswer<>(
        call.broker().commitAsync(new CommitRequest(operations, id)),
        result -> Answer.ok(ANSWER, results(items, Refusals.orThrow(result))));
  }

  private static List<OperationResult> results(List<OperationItem> items, Committed committed) {
    List<OperationResult> results = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      OperationItem item = items.get(i);
      Step step = i < committed.steps().size() ? committed.steps().get(i) : null;
      if (step == null || !matches(item.operation(), step)) {
        throw requestIdUsed();
      }
      results.add(new OperationResult(i, item, step));
    }
    return results;
  }

  /** The refusal of a request id that was used before, for other operations. */
  static Problem requestIdUsed() {
    return Problem.of(
        409, "REQUEST_ID_USED", "requestId: another request has used it, with other operations");
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
}
