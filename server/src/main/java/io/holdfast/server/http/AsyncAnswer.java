package io.holdfast.server.http;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Result;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * An answer to a request that depends on a result of the broker which may not have come yet.
 *
 * @param result cancelled if the client goes
 * @param answer makes the answer; it must not block, and may throw a {@link Problem}
 */
public record AsyncAnswer<T>(AsyncResult<T> result, Function<Result<T>, Answer> answer) {
  /** An answer that is known already. */
  public static AsyncAnswer<Answer> of(Answer answer) {
    return new AsyncAnswer<>(AsyncResult.of(Result.ok(answer)), Result::orThrow);
  }

  /**
   * Makes the answer, waiting for the result if it has not come.
   *
   * @throws CancellationException if the client has gone
   */
  Answer get() {
    try {
      return answer.apply(result.join());
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }
}
