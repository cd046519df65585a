package io.holdfast.server.answers;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces values that are random by names, each value by the same name in all of a file. */
final class StableValues {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern LEASE =
      Pattern.compile("\"(?:leaseId|lock_id)\":\"([A-Za-z0-9_-]{11})\"");

  private final Map<String, String> names = new LinkedHashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();

  /** Shows a value as a name from here on. */
  void name(String value, String name) {
    names.putIfAbsent(value, "<" + name + ">");
  }

  private void number(String value, String kind) {
    if (!names.containsKey(value)) {
      name(value, kind + "-" + counts.merge(kind, 1, Integer::sum));
    }
  }

  String stable(String text) {
    UUID.matcher(text).results().forEach(found -> number(found.group(), "id"));
    LEASE.matcher(text).results().forEach(found -> number(found.group(1), "lease"));
    String stable = text;
    for (Map.Entry<String, String> one : names.entrySet()) {
      stable = stable.replace(one.getKey(), one.getValue());
    }
    return stable;
  }

  /** Replaces the values of a field that are numbers, texts, true, false or null. */
  static String hide(String text, String field) {
    return text.replaceAll(
        "\"" + Pattern.quote(field) + "\":(\"(?:[^\"\\\\]|\\\\.)*\"|[-+.0-9A-Za-z]+)",
        Matcher.quoteReplacement("\"" + field + "\":<any>"));
  }
}
