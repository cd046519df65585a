package io.holdfast.server.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a route's query: it is read by this, and described by this.
 *
 * @param min least value of a number
 * @param max greatest value of a number
 * @param byDefault what counts if it is not given; null if then nothing does
 * @param words the values a word may have
 */
public record Param(
    String name,
    Kind kind,
    long min,
    long max,
    @Nullable Object byDefault,
    List<String> words,
    String explanation) {
  /** What a parameter is. */
  public enum Kind {
    TEXT,
    NUMBER,
    FLAG,
    TIME,
    WORD
  }

  /** Whether a number has bounds that are worth telling. */
  public boolean isBounded() {
    return min > Long.MIN_VALUE && max < Long.MAX_VALUE;
  }

  public static Param text(String name, String explanation) {
    return new Param(name, Kind.TEXT, 0, 0, null, List.of(), explanation);
  }

  public static Param text(String name, String byDefault, String explanation) {
    return new Param(name, Kind.TEXT, 0, 0, byDefault, List.of(), explanation);
  }

  public static Param number(String name, long byDefault, long min, long max, String explanation) {
    return new Param(name, Kind.NUMBER, min, max, byDefault, List.of(), explanation);
  }

  public static Param flag(String name, String explanation) {
    return new Param(name, Kind.FLAG, 0, 0, false, List.of(), explanation);
  }

  public static Param time(String name, String explanation) {
    return new Param(name, Kind.TIME, 0, 0, null, List.of(), explanation);
  }

  public static Param word(String name, @Nullable String byDefault, String what, String... words) {
    return new Param(name, Kind.WORD, 0, 0, byDefault, List.of(words), what);
  }
}
