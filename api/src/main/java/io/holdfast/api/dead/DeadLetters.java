package io.holdfast.api.dead;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of dead letters.
 *
 * @param total how many match the filter, on all pages; -1 if they were not to be counted
 */
public record DeadLetters(List<DeadLetter> items, long total, @Nullable String next) {
  public DeadLetters {
    items = List.copyOf(items);
  }
}
