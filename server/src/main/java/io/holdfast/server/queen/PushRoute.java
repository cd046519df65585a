package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stores messages. */
public final class PushRoute {
  private static final int ANSWER_BYTES = 220;

  private final Broker broker;

  public PushRoute(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.async(
                Route.Method.POST,
                "/api/v1/push",
                Access.PUSH,
                "Messages",
                "Push messages, all or none, duplicates aside",
                this::push)
            .traffic()
            .body(
                Shape.fields(
                    Shape.required("items", Shape.array(MessageItem.SHAPE), "The messages."),
                    Shape.optional(
                        "requestId",
                        Shape.TEXT,
                        "Makes a repeat harmless: it is answered what the first was.")))
            .answers(
                201,
                "one element for each item, in their order",
                Shape.array(
                    Shape.fields(
                        Shape.required("index", Shape.WHOLE, "Which item."),
                        Shape.required(
                            "status",
                            Shape.words("queued", "duplicate"),
                            "duplicate: a message of that transactionId was there already."),
                        Shape.required(
                            "message_id", Shape.TEXT, "Its id; of a duplicate, the first one's."),
                        Shape.required(
                            "transaction_id", Shape.TEXT, "Its name; the id if it has none."),
                        Shape.required("queueName", Shape.QUEUE, "Its queue."),
                        Shape.required("partition_id", Shape.TEXT, "Its partition."),
                        Shape.required(
                            "trace_id", Shape.orNull(Shape.TEXT), "As it was given, or null.")))));
  }

  private AsyncAnswer<Pushed> push(Call call) {
    PushRequest request = call.json(PushRoute::read);
    return new AsyncAnswer<>(
        broker.pushAsync(request), result -> answer(request, Refusals.orThrow(result)));
  }

  private static Answer answer(PushRequest request, Pushed pushed) {
    JsonOut out = new JsonOut(ANSWER_BYTES * pushed.messages().size() + 16).beginArray();
    for (int i = 0; i < pushed.messages().size(); i++) {
      NewMessage item = request.messages().get(i);
      PushedMessage message = pushed.messages().get(i);
      out.beginObject()
          .put("index", i)
          .put("status", message.duplicate() ? "duplicate" : "queued")
          .put("message_id", message.id())
          .put("transaction_id", item.transactionId(), message.id())
          .put("queueName", item.queue())
          .put("partition_id", Long.toString(message.partition()))
          .put("trace_id", item.headers().get(MessageItem.TRACE_ID))
          .endObject();
    }
    return Answer.json(201, out.endArray());
  }

  private static PushRequest read(JsonIn in) {
    List<NewMessage> items = null;
    String requestId = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "items" -> items = in.list(Limits.BATCH_MAX, MessageItem::read);
        case "requestId" -> requestId = in.textOrNull();
        default -> throw in.unknown("items", "requestId");
      }
    }
    return request(items, requestId);
  }

  private static PushRequest request(@Nullable List<NewMessage> items, @Nullable String requestId) {
    if (items == null) {
      throw Problem.field("items", "expected an array of messages, but there is none");
    }
    return new PushRequest(items, requestId);
  }
}
