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
 * @param allGroups whether all groups of a queue may get that, if there are several
 */
record ReplayBody(@Nullable String group, byte @Nullable [] payload, boolean allGroups) {
  static final Shape SHAPE =
      Shape.fields(
          Shape.optional(
              "consumerGroup", Shape.TEXT, "Only for this group; else for all it applies to."),
          Shape.optional(
              "payload",
              Shape.ANY,
              "Push this in its place, as a new message to all groups of the queue."),
          Shape.optional("payloadBase64", Shape.TEXT, "The same for bytes that are not JSON."),
          Shape.optional(
              "allGroups",
              Shape.FLAG,
              "With a payload: has to be true if the queue has several groups, else 409."));

  static ReplayBody of(Call call) {
    return call.hasBody() ? call.json(ReplayBody::read) : new ReplayBody(null, null, false);
  }

  private static ReplayBody read(JsonIn in) {
    String group = null;
    byte[] payload = null;
    boolean allGroups = false;
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
        case "allGroups" -> allGroups = in.flag();
        default -> throw in.unknown("consumerGroup", "payload", "payloadBase64", "allGroups");
      }
    }
    return new ReplayBody(group, payload, allGroups);
  }
}
