package io.holdfast.server.messages;

import io.holdfast.api.message.MessageRef;
import io.holdfast.json.Json;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import java.util.UUID;

/** The id of a message in a path. */
public final class MessageIds {
  private MessageIds() {}

  /** The message that the path names by its id. */
  public static MessageRef.ById message(Call call) {
    UUID id = Json.ID.parse(call.part("id"));
    if (id == null) {
      throw Problem.field("id", "expected " + Json.ID.expected() + ", but got none");
    }
    return new MessageRef.ById(id);
  }
}
