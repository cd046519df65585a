package io.holdfast.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param next what to pass as {@code after} for the next page; null after the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {
  public Page {
    items = List.copyOf(items);
  }
}
