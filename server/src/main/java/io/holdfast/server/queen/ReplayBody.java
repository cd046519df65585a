package io.holdfast.server.queen;

import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Shape;
import org.jspecify.annotations.Nullable;

/**
 * How a dead letter is to be delivered again.
 *
 * @param group null for all groups that gave it up
 * @param payload what to deliver in its place; null for the message as it is
 */
record ReplayBody(@Nullable String group, byte @Nullable [] payload) {
  static final Shape SHAPE =
      Shape.fields(
          Shape.optional(
              "consumerGroup", Shape.TEXT, "Only for this group; else for all it applies to."),
          Shape.optional(
              "payload",
              Shape.ANY,
              "Push this in its place, as a new message to all groups of the queue."),
          Shape.optional("payloadBase64", Shape.TEXT, "The same for bytes that are not JSON."));

  static ReplayBody of(Call call) {
    return call.hasBody() ? call.json(ReplayBody::read) : new ReplayBody(null, null);
  }

  private static ReplayBody read(JsonIn in) {
    String group = null;
    byte[] payload = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "consumerGroup" -> group = in.textOrNull();
        case "payload", "payloadBase64" -> {
          if (payload != null) {
            throw in.wrong("payload or payloadBase64, not both");
          }
          payload = field.equals("payload") ? in.payload() : in.base64();
        }
        default -> throw in.unknown("consumerGroup", "payload", "payloadBase64");
      }
    }
    return new ReplayBody(group, payload);
  }
}
