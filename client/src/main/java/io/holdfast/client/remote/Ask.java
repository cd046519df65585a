package io.holdfast.client.remote;

import io.holdfast.api.wire.Verb;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A request, and how it may be repeated.
 *
 * @param request the request that waits so many milliseconds
 * @param waitMs how long the server may wait for something to happen
 * @param repeatableMs how long after the first attempt asking again does no harm
 * @param hasEffect whether it matters that it may have been executed although no answer came
 * @param onLate is given an answer that came too late, and the one that was used instead
 */
record Ask<I, O>(
    Verb<I, O> verb,
    LongFunction<I> request,
    long waitMs,
    long repeatableMs,
    boolean hasEffect,
    BiConsumer<O, @Nullable O> onLate) {
  /** For requests of which a repeat may do harm, or never does. */
  static final long NEVER = 0;

  static final long ALWAYS = Long.MAX_VALUE;

  Ask(Verb<I, O> verb, LongFunction<I> request, long waitMs, long repeatableMs) {
    this(verb, request, waitMs, repeatableMs, true, Ask::ignore);
  }

  Ask(Verb<I, O> verb, I request, long repeatableMs) {
    this(verb, waitMs -> request, 0, repeatableMs);
  }

  static <I, O> Ask<I, O> read(Verb<I, O> verb, I request) {
    return new Ask<>(verb, waitMs -> request, 0, ALWAYS, false, Ask::ignore);
  }

  private static void ignore(Object late, @Nullable Object used) {}
}
