package io.holdfast.server.queen;

import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.message.Message;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;

/** Dead letters in JSON, under the names of the seed and those of Queen. */
final class DeadLetterJson {
  static final Shape SHAPE =
      Shape.fields(
          MessageJson.IDENTITY,
          Shape.required("queueName", Shape.QUEUE, "The same."),
          Shape.required("consumerGroup", Shape.TEXT, "The group it is dead for."),
          Shape.required("errorMessage", Shape.TEXT, "What went wrong last, or null."),
          Shape.required("retryCount", Shape.WHOLE, "How often it failed."),
          Shape.required("expiries", Shape.WHOLE, "How often its lease expired."),
          Shape.required("originalCreatedAt", Shape.TIME, "The same."),
          Shape.required("failedAt", Shape.TIME, "When it died."),
          Shape.required("movedToDlqAt", Shape.TIME, "The same."),
          Shape.required("data", Shape.ANY, "The payload, byte for byte."),
          Shape.optional("dataBase64", Shape.TEXT, "The payload if it is not JSON; data is null."),
          MessageJson.PROBLEM,
          Shape.optional("headers", Shape.OBJECT, "Its headers, if it has any."),
          Shape.required("attempts", Shape.array(MessageJson.ATTEMPT), "Failed deliveries."));

  private DeadLetterJson() {}

  static void write(JsonOut out, DeadLetter dead) {
    Message message = dead.message();
    MessageJson.identity(out.beginObject(), message)
        .put("queueName", message.queue())
        .put("consumerGroup", dead.group())
        .put("errorMessage", dead.error())
        .put("retryCount", dead.failures())
        .put("expiries", dead.expiries())
        .putTime("originalCreatedAt", message.createdMs())
        .putTime("failedAt", dead.diedMs())
        .putTime("movedToDlqAt", dead.diedMs());
    MessageJson.headers(out.putPayload("data", message), message);
    MessageJson.attempts(out, dead.attempts());
    out.endObject();
  }
}
