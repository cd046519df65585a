package io.holdfast.server.http;

import io.holdfast.api.Limits;
import io.holdfast.json.Field;

/** The parameters by which a list is read page by page. */
public final class Paging {
  public static final Field<String> AFTER =
      Field.text("after", "The next of the page before; nothing for the first page.");
  public static final Field<Long> LIMIT =
      Field.number("limit", 100, 1, Limits.PAGE_MAX, "Most rows of the page.");

  private Paging() {}
}
