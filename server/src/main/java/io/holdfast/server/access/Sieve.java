package io.holdfast.server.access;

import io.holdfast.api.Page;
import io.holdfast.api.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lists for a caller who may see only a part of them.
 *
 * <p>A page may be short, or even empty, although there is a next one; but nothing is left out or
 * comes twice.
 */
final class Sieve {
  /** Pages of the broker that one page of ours looks through. */
  static final int LOOKS_MAX = 32;

  /** A page of ours ends once what is on it is this large. */
  private static final long BYTES_MAX = 4 << 20;

  private Sieve() {}

  /** Asks the broker for a page. */
  interface Source<T> {
    Result<Page<T>> page(@Nullable String after, int limit);
  }

  /**
   * @param bytes how large one is
   */
  static <T> Result<Page<T>> page(
      @Nullable String after,
      int limit,
      Predicate<T> visible,
      ToLongFunction<T> bytes,
      Source<T> source) {
    List<T> items = new ArrayList<>();
    String from = after;
    for (int looks = 0; looks < LOOKS_MAX; looks++) {
      Result<Page<T>> found = source.page(from, limit - items.size());
      if (!found.isOk()) {
        return found;
      }
      found.orThrow().items().stream().filter(visible).forEach(items::add);
      from = found.orThrow().next();
      // To fill the last places of a page would take as many looks as the whole of it.
      if (from == null
          || items.size() * 2 >= limit
          || items.stream().mapToLong(bytes).sum() >= BYTES_MAX) {
        break;
      }
    }
    return Result.ok(new Page<>(items, from));
  }

  /**
   * The longer one of two prefixes of which one begins with the other; null if nothing can begin
   * with both.
   */
  static @Nullable String narrowed(String asked, String allowed) {
    if (asked.startsWith(allowed)) {
      return asked;
    }
    return allowed.startsWith(asked) ? allowed : null;
  }
}
