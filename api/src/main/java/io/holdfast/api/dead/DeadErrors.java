package io.holdfast.api.dead;

import io.holdfast.api.ErrorText;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What dead letters died of.
 *
 * @param errors by error, in no order; at most {@link #ERRORS_MAX}, what is beyond counts as one
 *     without a text
 * @param looked how many dead letters were looked at
 * @param last where it ended, to pass as {@code after}; null if there was none to look at
 * @param complete whether that was the end
 */
public record DeadErrors(List<Kind> errors, long looked, @Nullable String last, boolean complete) {
  /** Most errors that are told apart. */
  public static final int ERRORS_MAX = 1_000;

  /**
   * Dead letters that died of the same.
   *
   * @param error what they say, with numbers and ids left out: {@link ErrorText}; empty if nothing
   * @param sample what the newest of them says
   * @param messageId the newest of them
   */
  public record Kind(
      String error, String sample, long count, long firstMs, long lastMs, UUID messageId) {}

  public DeadErrors {
    errors = List.copyOf(errors);
  }
}
