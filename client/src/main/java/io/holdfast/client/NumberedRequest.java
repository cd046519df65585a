package io.holdfast.client;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.RequestNumber;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A push or commit that may be tried several times, and takes effect once.
 *
 * <p>Invariant: all tries that may have had an effect carry one number.
 *
 * <p>Thread: one at a time.
 */
public final class NumberedRequest {
  /** A session that was just opened is not dropped again unless the broker is overrun. */
  private static final int SESSIONS_MAX = 3;

  private final RequestSlots slots;
  private RequestSlots.@Nullable Slot slot;
  private boolean inDoubt;
  private int sessions;

  public NumberedRequest(RequestSlots slots) {
    this.slots = slots;
  }

  /**
   * Sends the request, or sends it again.
   *
   * @throws UnreachableException if there is no answer, or if the broker no longer knows whether an
   *     earlier try took effect
   */
  public <T> Result<T> send(Function<RequestNumber, Result<T>> request) {
    while (true) {
      Result<T> result = sendOnce(request);
      if (isFinal(result)) {
        return result;
      }
    }
  }

  private <T> Result<T> sendOnce(Function<RequestNumber, Result<T>> request) {
    RequestSlots.Slot own = slot;
    if (own == null) {
      Result<RequestSlots.Slot> taken = slots.take();
      if (!taken.isOk()) {
        return Result.refused(taken.refusal());
      }
      own = taken.orThrow();
      slot = own;
    }
    try {
      return request.apply(own.number());
    } catch (UnreachableException unanswered) {
      failed(unanswered);
      throw unanswered;
    }
  }

  private void failed(@Nullable Throwable failure) {
    inDoubt |= failure instanceof UnreachableException unanswered && unanswered.isInDoubt();
  }

  /** Whether an answer is the result; otherwise the request is sent in another session. */
  private boolean isFinal(Result<?> result) {
    RequestSlots.Slot own = slot;
    if (own == null || result.isOk() || result.refusal().code() != ErrorCode.REQUEST_FORGOTTEN) {
      return true;
    }
    own.sessionDropped();
    slot = null;
    Refusal forgotten = result.refusal();
    if (inDoubt) {
      throw new UnreachableException(
          "an earlier try may have taken effect, and the broker does not know it any more; check"
              + " whether it did before you send the request again: "
              + forgotten.detail(),
          true,
          new RefusedException(forgotten));
    }
    return ++sessions >= SESSIONS_MAX;
  }

  /**
   * {@link #send} without blocking.
   *
   * @param then gets the result, or else the failure
   */
  public <T> void sendAsync(
      Function<RequestNumber, ? extends CompletableFuture<Result<T>>> request,
      BiConsumer<@Nullable Result<T>, @Nullable Throwable> then) {
    RequestSlots.Slot own = slot;
    if (own != null) {
      sendAsync(own, request, then);
      return;
    }
    Completion.then(
        slots.takeAsync(),
        (taken, failure) -> {
          if (taken == null) {
            then.accept(null, cause(failure));
          } else if (taken.isOk()) {
            slot = taken.orThrow();
            sendAsync(taken.orThrow(), request, then);
          } else {
            then.accept(Result.refused(taken.refusal()), null);
          }
        });
  }

  private <T> void sendAsync(
      RequestSlots.Slot own,
      Function<RequestNumber, ? extends CompletableFuture<Result<T>>> request,
      BiConsumer<@Nullable Result<T>, @Nullable Throwable> then) {
    Completion.then(
        request.apply(own.number()),
        (result, failure) -> {
          if (result == null) {
            failed(cause(failure));
            then.accept(null, cause(failure));
          } else {
            answered(result, request, then);
          }
        });
  }

  private <T> void answered(
      Result<T> result,
      Function<RequestNumber, ? extends CompletableFuture<Result<T>>> request,
      BiConsumer<@Nullable Result<T>, @Nullable Throwable> then) {
    boolean isFinal;
    try {
      isFinal = isFinal(result);
    } catch (UnreachableException unknown) {
      then.accept(null, unknown);
      return;
    }
    if (isFinal) {
      then.accept(result, null);
    } else {
      sendAsync(request, then);
    }
  }

  private static Throwable cause(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause == null ? new IllegalStateException("a request failed") : cause;
  }

  /** The request is not sent again. */
  public void end() {
    if (slot != null) {
      slot.release();
      slot = null;
    }
  }
}
