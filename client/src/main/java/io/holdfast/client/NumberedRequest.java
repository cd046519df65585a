package io.holdfast.client;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.RequestNumber;
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
    for (int sessions = 1; ; sessions++) {
      Result<T> result = sendOnce(request);
      if (result.isOk() || result.refusal().code() != ErrorCode.REQUEST_FORGOTTEN) {
        return result;
      }
      Refusal forgotten = result.refusal();
      if (inDoubt) {
        throw new UnreachableException(
            "an earlier try may have taken effect, and the broker does not know it any more; check"
                + " whether it did before you send the request again: "
                + forgotten.detail(),
            true,
            new RefusedException(forgotten));
      }
      if (sessions == SESSIONS_MAX) {
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
      Result<T> result = request.apply(own.number());
      if (!result.isOk() && result.refusal().code() == ErrorCode.REQUEST_FORGOTTEN) {
        own.sessionDropped();
        slot = null;
      }
      return result;
    } catch (UnreachableException unanswered) {
      inDoubt |= unanswered.isInDoubt();
      throw unanswered;
    }
  }

  /** The request is not sent again. */
  public void end() {
    if (slot != null) {
      slot.release();
      slot = null;
    }
  }
}
