package io.holdfast.server.queen;

import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Shape;
import org.jspecify.annotations.Nullable;

/**
 * A body that may be left out, and may name a group.
 *
 * @param group null for all groups it applies to
 */
record GroupBody(@Nullable String group) {
  static final Shape SHAPE =
      Shape.fields(
          Shape.optional(
              "consumerGroup", Shape.TEXT, "Only for this group; else for all it applies to."));

  static GroupBody of(Call call) {
    return call.hasBody() ? call.json(GroupBody::read) : new GroupBody(null);
  }

  private static GroupBody read(JsonIn in) {
    String group = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!field.equals("consumerGroup")) {
        throw in.unknown("consumerGroup");
      }
      group = in.textOrNull();
    }
    return new GroupBody(group);
  }
}
