package io.holdfast.client;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.RequestNumber;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
   * @param into gets the result, or the failure
   */
  public <T> void sendAsync(
      Function<RequestNumber, ? extends CompletableFuture<Result<T>>> request,
      AsyncResult<T> into) {
    RequestSlots.Slot own = slot;
    if (own != null) {
      sendAsync(own, request, into);
      return;
    }
    slots
        .takeAsync()
        .whenComplete(
            (taken, failure) -> {
              if (taken == null) {
                into.completeExceptionally(cause(failure));
              } else if (taken.isOk()) {
                slot = taken.orThrow();
                sendAsync(taken.orThrow(), request, into);
              } else {
                into.answer(Result.refused(taken.refusal()));
              }
            });
  }

  private <T> void sendAsync(
      RequestSlots.Slot own,
      Function<RequestNumber, ? extends CompletableFuture<Result<T>>> request,
      AsyncResult<T> into) {
    request
        .apply(own.number())
        .whenComplete(
            (result, failure) -> {
              if (result == null) {
                failed(cause(failure));
                into.completeExceptionally(cause(failure));
                return;
              }
              try {
                if (isFinal(result)) {
                  into.answer(result);
                } else {
                  sendAsync(request, into);
                }
              } catch (UnreachableException unknown) {
                into.completeExceptionally(unknown);
              }
            });
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
