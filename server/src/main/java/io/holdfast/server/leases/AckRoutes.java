package io.holdfast.server.leases;

import io.holdfast.api.Limits;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.Collection;
import java.util.List;

/** Settles messages: one, or many at once. */
public final class AckRoutes {
  static final String TOPIC = "Acknowledgement";

  private static final Field<List<AckItem>> ACKNOWLEDGMENTS =
      Field.required(
              "acknowledgments",
              Json.list(AckItem.ONE, Limits.OPERATIONS_MAX),
              "What becomes of each.")
          .missing("acknowledgments array is required");
  private static final Field<String> GROUP = Field.text("consumerGroup", "The group of them all.");
  private static final Field<Boolean> ATOMIC =
      Field.optional(
          "atomic",
          Json.FLAG,
          true,
          "true (default): if one is refused, none is applied. false: each for itself.");

  /** Items to settle, and what the broker is asked. */
  private record Batch(List<AckItem> items, List<Settle> settles, boolean atomic) {}

  private static final JsonType<Batch> BATCH =
      Json.object(AckRoutes::batch, ACKNOWLEDGMENTS, GROUP, ATOMIC);

  private static final JsonType<Collection<AckAnswer>> ANSWERS = Json.list(AckAnswer.TYPE);

  private AckRoutes() {}

  private static final String EXAMPLE =
      "{\"partitionId\":\"1\",\"transactionId\":\"order-1\",\"leaseId\":\"b2xkIGxlYXM\","
          + "\"status\":\"completed\"}";

  public static List<Route> routes() {
    return Route.about(
        TOPIC,
        Route.post("/api/v1/ack", Access.CONSUME)
            .summary("Settle one message")
            .traffic("kill")
            .body(AckItem.ONE)
            .example(EXAMPLE)
            .answersAsync(
                200, "decided; success says whether it was applied", AckAnswer.TYPE, AckRoutes::ack)
            .answers(
                200,
                "the same in an array of one, if the request has both error and consumerGroup, be"
                    + " they null, as those of Queen's own clients have",
                ANSWERS),
        Route.post("/api/v1/ack/batch", Access.CONSUME)
            .summary("Settle many messages, all or none")
            .traffic("kill")
            .body(BATCH)
            .example("{\"acknowledgments\":[" + EXAMPLE + "]}")
            .answersAsync(
                200,
                "decided, one element for each, in their order",
                ANSWERS,
                AckRoutes::ackBatch));
  }

  private static AsyncAnswer<Settled> ack(Call call) {
    AckItem item = call.json(AckItem.ONE);
    return new AsyncAnswer<>(
        call.broker().settleAsync(SettleRequest.of(item.settle(null, null))),
        result -> {
          AckAnswer answer = new AckAnswer(0, item, Refusals.orThrow(result).verdicts().getFirst());
          return item.wantsArray()
              ? Answer.ok(ANSWERS, List.of(answer))
              : Answer.ok(AckAnswer.TYPE, answer);
        });
  }

  private static AsyncAnswer<?> ackBatch(Call call) {
    Batch batch = call.json(BATCH);
    if (batch.items().isEmpty()) {
      return AsyncAnswer.of(Answer.ok(ANSWERS, List.of()));
    }
    return new AsyncAnswer<>(
        call.broker().settleAsync(new SettleRequest(batch.settles(), batch.atomic())),
        result ->
            Answer.ok(ANSWERS, AckAnswer.of(batch.items(), Refusals.orThrow(result).verdicts())));
  }

  private static Batch batch(Values in) {
    List<AckItem> items = in.get(ACKNOWLEDGMENTS);
    String group = in.find(GROUP);
    return new Batch(
        items,
        Json.convert(ACKNOWLEDGMENTS.name(), items, item -> item.settle(group, null)),
        in.get(ATOMIC));
  }
}
