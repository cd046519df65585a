package io.holdfast.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages to push, all or none, duplicates aside.
 *
 * @param requestId makes a repeat of this very request harmless; null for none
 */
public record PushRequest(List<NewMessage> messages, @Nullable String requestId) {
  public PushRequest {
    messages = List.copyOf(messages);
    if (requestId != null) {
      Check.key("requestId", requestId);
    }
  }

  public static PushRequest of(NewMessage... messages) {
    return new PushRequest(List.of(messages), null);
  }

  public static PushRequest of(List<NewMessage> messages) {
    return new PushRequest(messages, null);
  }

  public PushRequest requestId(String id) {
    return new PushRequest(messages, id);
  }
}
