package io.holdfast.server.work;

import io.holdfast.api.message.MessageRef;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ids of messages as clients write them. */
final class Ids {
  private static final int CHARS = 36;

  private Ids() {}

  /** The message that the path names by its id. */
  static MessageRef.ById message(Call call) {
    return new MessageRef.ById(id("id", call.part("id")));
  }

  static UUID id(String field, String text) {
    UUID id = parse(text);
    if (id == null) {
      throw Problem.field(
          field, "expected an id such as 019b76da-a800-7000-8000-010000000001, but got none");
    }
    return id;
  }

  private static @Nullable UUID parse(String text) {
    // Java would take shorter ones as well, and fill them up.
    if (text.length() != CHARS) {
      return null;
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException noId) {
      return null;
    }
  }
}
