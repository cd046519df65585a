package io.holdfast.api.dead;

import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message that used up its attempts, kept whole. */
public record DeadLetter(
    Message message,
    String group,
    long diedMs,
    @Nullable String error,
    int failures,
    int expiries,
    List<Attempt> attempts) {
  public DeadLetter {
    attempts = List.copyOf(attempts);
  }
}
