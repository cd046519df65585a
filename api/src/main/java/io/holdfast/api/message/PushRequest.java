package io.holdfast.api.message;

import io.holdfast.api.Check;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.commit.RequestNumber;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages to push, all or none, duplicates aside.
 *
 * @param requestId makes a repeat of this request harmless for {@link Limits#REQUEST_ID_MS}; null
 *     for none
 * @param number the same, in a producer session; null for none
 */
public record PushRequest(
    List<NewMessage> messages, @Nullable String requestId, @Nullable RequestNumber number) {
  public PushRequest {
    messages = List.copyOf(messages);
    if (requestId != null) {
      Check.key("requestId", requestId);
      if (number != null) {
        throw new InvalidArgumentException("number: expected none together with a requestId");
      }
    }
  }

  public PushRequest(List<NewMessage> messages, @Nullable String requestId) {
    this(messages, requestId, null);
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

  public PushRequest number(RequestNumber newNumber) {
    return new PushRequest(messages, requestId, newNumber);
  }

  /** Whether the broker recognizes a repeat of it. */
  public boolean isNamed() {
    return requestId != null || number != null;
  }
}
