package io.holdfast.server.messages;

import io.holdfast.json.Field;
import io.holdfast.json.Values;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where a page over several queues ends: the queue, and where in it.
 *
 * @param after null for the beginning of the queue
 */
public record Cursor(String queue, @Nullable String after) {
  /** Stands between the two; no name has it. */
  private static final char BORDER = '\0';

  /**
   * The cursor of a query; null at the beginning.
   *
   * @param offset a parameter that must not be given together with a cursor
   */
  public static @Nullable Cursor of(Values query, Field<Long> offset) {
    Cursor cursor = parse(query.find(Paging.AFTER));
    if (cursor != null && query.get(offset) > 0) {
      throw Problem.field("offset", "expected offset or after, not both");
    }
    return cursor;
  }

  private static @Nullable Cursor parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      int border = plain.indexOf(BORDER);
      if (border > 0) {
        String after = plain.substring(border + 1);
        return new Cursor(plain.substring(0, border), after.isEmpty() ? null : after);
      }
    } catch (IllegalArgumentException notOurs) {
      // Reported below.
    }
    throw Problem.field("after", "expected the next of an earlier page, but got something else");
  }

  /** The text of a cursor for the client; null if there is none. */
  public static @Nullable String text(@Nullable Cursor cursor) {
    return cursor == null ? null : cursor.text();
  }

  private String text() {
    String plain = queue + BORDER + (after == null ? "" : after);
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(plain.getBytes(StandardCharsets.UTF_8));
  }
}
