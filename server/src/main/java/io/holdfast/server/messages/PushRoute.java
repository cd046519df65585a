package io.holdfast.server.messages;

import io.holdfast.api.Limits;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonOut;
import io.holdfast.json.JsonType;
import io.holdfast.json.objects.PushResult;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.List;

/** Stores messages. */
public final class PushRoute {
  private static final int ANSWER_BYTES = 220;

  private static final Field<List<NewMessage>> ITEMS =
      Field.required("items", Json.list(MessageItem.TYPE, Limits.BATCH_MAX), "The messages.");

  /** Makes a repeated request harmless. */
  public static final Field<String> REQUEST_ID =
      Field.text("requestId", "Makes a repeat harmless: it is answered what the first was.");

  private static final JsonType<PushRequest> BODY =
      Json.object(in -> new PushRequest(in.get(ITEMS), in.find(REQUEST_ID)), ITEMS, REQUEST_ID);

  private PushRoute() {}

  public static List<Route> routes() {
    return Route.about(
        MessageListRoute.TOPIC,
        Route.post("/api/v1/push", Access.PUSH)
            .summary("Push messages, all or none, duplicates aside")
            .traffic()
            .keyedByBroker()
            .body(BODY)
            .answersAsync(
                201,
                "one element for each item, in their order",
                Json.list(PushResult.TYPE),
                PushRoute::push));
  }

  private static AsyncAnswer<Pushed> push(Call call) {
    PushRequest read = call.json(BODY);
    String id = call.requestId(read.requestId());
    PushRequest request = id == null ? read : new PushRequest(read.messages(), id, read.number());
    return new AsyncAnswer<>(
        call.broker().pushAsync(request), result -> answer(request, Refusals.orThrow(result)));
  }

  private static Answer answer(PushRequest request, Pushed pushed) {
    if (pushed.messages().size() != request.messages().size()) {
      throw Problem.requestIdUsed();
    }
    JsonOut out = new JsonOut(ANSWER_BYTES * pushed.messages().size() + 16).beginArray();
    for (int i = 0; i < pushed.messages().size(); i++) {
      PushResult.TYPE.write(
          out, new PushResult(i, request.messages().get(i), pushed.messages().get(i)));
    }
    return Answer.json(201, out.endArray());
  }
}
