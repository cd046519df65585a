package io.holdfast.json;

import org.jspecify.annotations.Nullable;

/**
 * A field of an object that is read, or a parameter of a query, declared once: its name, type,
 * default and explanation.
 *
 * <p>A null counts as absent, unless its type accepts null, or the field is required and has no
 * error of its own for its absence.
 *
 * @param byDefault the value of an absent field; null if it has none then
 * @param instead a field that may be given in place of this one; null if there is none
 * @param missing the error for a required field that is absent
 */
public record Field<T>(
    String name,
    JsonType<T> type,
    boolean required,
    @Nullable T byDefault,
    @Nullable Field<?> instead,
    String missing,
    String explanation) {

  /** A field that must be given. */
  public static <T> Field<T> required(String name, JsonType<T> type, String explanation) {
    return new Field<>(name, type, true, null, null, "", explanation);
  }

  /** A field that may be absent; it is then null. */
  public static <T> Field<T> optional(String name, JsonType<T> type, String explanation) {
    return new Field<>(name, type, false, null, null, "", explanation);
  }

  /** A field that has a default. */
  public static <T> Field<T> optional(
      String name, JsonType<T> type, T byDefault, String explanation) {
    return new Field<>(name, type, false, byDefault, null, "", explanation);
  }

  /** An optional text. */
  public static Field<String> text(String name, String explanation) {
    return optional(name, Json.TEXT, explanation);
  }

  public static Field<String> text(String name, String byDefault, String explanation) {
    return optional(name, Json.TEXT, byDefault, explanation);
  }

  /** A whole number within bounds. */
  public static Field<Long> number(
      String name, long byDefault, long min, long max, String explanation) {
    return optional(name, Json.whole(min, max), byDefault, explanation);
  }

  /** A flag that is false if it is absent. */
  public static Field<Boolean> flag(String name, String explanation) {
    return optional(name, Json.FLAG, false, explanation);
  }

  /** An optional time, in epoch milliseconds here. */
  public static Field<Long> time(String name, String explanation) {
    return optional(name, Json.TIME, explanation);
  }

  /** One of some words. */
  public static Field<String> word(
      String name, @Nullable String byDefault, String explanation, String... words) {
    return new Field<>(name, Json.word(words), false, byDefault, null, "", explanation);
  }

  /** The same, except that another field may be given in place of it, but not both. */
  public Field<T> or(Field<?> other) {
    return new Field<>(name, type, false, byDefault, other, missing, explanation);
  }

  /** The same, with this text as the error when it is absent. */
  public Field<T> missing(String text) {
    return new Field<>(name, type, required, byDefault, instead, text, explanation);
  }

  /** The same with another explanation. */
  public Field<T> explained(String text) {
    return new Field<>(name, type, required, byDefault, instead, missing, text);
  }

  /** The field in a schema. */
  Schema.Field schema() {
    // One of the two is required only if this one has no default.
    String other = instead == null || byDefault != null ? null : instead.name();
    return new Schema.Field(name, type.schema(), required, other, explanation);
  }

  JsonException absent(String place) {
    String path = JsonException.in(place, name);
    return missing.isEmpty()
        ? JsonException.field(path, "expected " + type.expected() + ", but there is none")
        : JsonException.missing(path, JsonException.in(place, missing));
  }
}
