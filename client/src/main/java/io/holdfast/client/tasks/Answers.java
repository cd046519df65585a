package io.holdfast.client.tasks;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import org.jspecify.annotations.Nullable;

/** Reads answers of a broker in which "there is none" is an answer like another. */
final class Answers {
  private Answers() {}

  /**
   * The value; null if the broker found none.
   *
   * @throws RefusedException if it refused for another reason
   */
  static <T> @Nullable T found(Result<T> result) {
    if (!result.isOk() && result.refusal().code() == ErrorCode.NOT_FOUND) {
      return null;
    }
    return result.orThrow();
  }
}
