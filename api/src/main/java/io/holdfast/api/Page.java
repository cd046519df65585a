package io.holdfast.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list. It may be short although there is a next one.
 *
 * @param next what to pass as {@code after} for the next page; null after the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {
  public Page {
    items = List.copyOf(items);
  }
}
