package io.holdfast.api;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a verb answers: a value, or a refusal that changed nothing.
 *
 * @param <T> the value of an accepted request
 */
public sealed interface Result<T> {
  /** An accepted request. */
  record Ok<T>(T value) implements Result<T> {}

  /** A refused request. */
  record Refused<T>(Refusal why) implements Result<T> {}

  static <T> Result<T> ok(T value) {
    return new Ok<>(value);
  }

  static <T> Result<T> refused(Refusal why) {
    return new Refused<>(why);
  }

  static <T> Result<T> refused(ErrorCode code, String detail) {
    return new Refused<>(Refusal.of(code, detail));
  }

  default boolean isOk() {
    return this instanceof Ok<T>;
  }

  /**
   * The value of an accepted request.
   *
   * @throws RefusedException if it was refused
   */
  default T orThrow() {
    if (this instanceof Ok<T> ok) {
      return ok.value();
    }
    throw new RefusedException(refusal());
  }

  /**
   * The refusal.
   *
   * @throws IllegalStateException if the request was accepted
   */
  default Refusal refusal() {
    if (this instanceof Refused<T> refused) {
      return refused.why();
    }
    throw new IllegalStateException("expected a refusal, but the request was accepted: " + this);
  }

  default <R> Result<R> map(Function<T, R> mapping) {
    return this instanceof Ok<T> ok ? ok(mapping.apply(ok.value())) : refused(refusal());
  }

  default <R> Result<R> flatMap(Function<T, Result<R>> mapping) {
    return this instanceof Ok<T> ok ? mapping.apply(ok.value()) : refused(refusal());
  }

  /** What a mapping makes of each of some values, or the first refusal. */
  static <T, R> Result<List<R>> each(List<T> values, Function<T, Result<R>> mapping) {
    List<R> mapped = new ArrayList<>(values.size());
    for (T value : values) {
      Result<R> one = mapping.apply(value);
      if (!one.isOk()) {
        return refused(one.refusal());
      }
      mapped.add(one.orThrow());
    }
    return ok(mapped);
  }
}
