package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settles messages: one, or many at once. */
public final class AckRoutes {
  private static final String TOPIC = "Acknowledgement";
  private static final int ANSWER_BYTES = 180;

  private final Broker broker;

  public AckRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.async(
                Route.Method.POST,
                "/api/v1/ack",
                Access.CONSUME,
                TOPIC,
                "Settle one message",
                this::ack)
            .traffic("kill")
            .body(AckItem.SHAPE)
            .answers(200, "decided; success says whether it was applied", AckAnswer.SHAPE),
        Route.async(
                Route.Method.POST,
                "/api/v1/ack/batch",
                Access.CONSUME,
                TOPIC,
                "Settle many messages, all or none",
                this::ackBatch)
            .traffic("kill")
            .body(
                Shape.fields(
                    Shape.required(
                        "acknowledgments", Shape.array(AckItem.SHAPE), "What becomes of each."),
                    Shape.optional("consumerGroup", Shape.TEXT, "The group of them all."),
                    Shape.optional(
                        "atomic",
                        Shape.FLAG,
                        "true (default): if one is refused, none is applied. false: each for"
                            + " itself.")))
            .answers(
                200,
                "decided, one element for each, in their order",
                Shape.array(AckAnswer.SHAPE)));
  }

  private AsyncAnswer<Settled> ack(Call call) {
    AckItem item = call.json(AckItem::read);
    Settle settle = item.settle(() -> "", null, null);
    return new AsyncAnswer<>(
        broker.settleAsync(SettleRequest.of(settle)),
        result -> {
          JsonOut out = new JsonOut();
          AckAnswer.write(out, 0, item, Refusals.orThrow(result).verdicts().getFirst());
          return Answer.ok(out);
        });
  }

  /** A batch of acks as it came. */
  private record Batch(List<AckItem> items, @Nullable String group, boolean atomic) {}

  private AsyncAnswer<?> ackBatch(Call call) {
    Batch batch = call.json(AckRoutes::readBatch);
    if (batch.items().isEmpty()) {
      return AsyncAnswer.of(Answer.ok(new JsonOut().beginArray().endArray()));
    }
    List<Settle> settles = new ArrayList<>(batch.items().size());
    for (int i = 0; i < batch.items().size(); i++) {
      int index = i;
      settles.add(
          batch.items().get(i).settle(() -> "acknowledgments[" + index + "]", batch.group(), null));
    }
    return new AsyncAnswer<>(
        broker.settleAsync(new SettleRequest(settles, batch.atomic())),
        result -> answer(batch, Refusals.orThrow(result)));
  }

  private static Answer answer(Batch batch, Settled settled) {
    JsonOut out = new JsonOut(ANSWER_BYTES * batch.items().size() + 16).beginArray();
    for (int i = 0; i < batch.items().size(); i++) {
      SettleVerdict verdict = settled.verdicts().get(i);
      AckAnswer.write(out, i, batch.items().get(i), verdict);
    }
    return Answer.ok(out.endArray());
  }

  private static Batch readBatch(JsonIn in) {
    List<AckItem> items = null;
    String group = null;
    boolean atomic = true;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "acknowledgments" -> items = in.list(Limits.OPERATIONS_MAX, AckItem::read);
        case "consumerGroup" -> group = in.textOrNull();
        case "atomic" -> atomic = in.flag();
        default -> throw in.unknown("acknowledgments", "consumerGroup", "atomic");
      }
    }
    if (items == null) {
      throw Problem.required("acknowledgments", "acknowledgments array is required");
    }
    return new Batch(items, group, atomic);
  }
}
