package io.holdfast.client.produce;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.client.Backoff;
import io.holdfast.client.NumberedRequest;
import io.holdfast.client.RequestSlots;
import io.holdfast.client.Signal;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes batches until each is stored or has failed.
 *
 * <p>Invariant: all tries of a batch carry one number, and when {@link #send} returns the future of
 * every message of the batch is done.
 *
 * <p>Thread: any; each sends its own batches.
 */
final class BatchSender {
  private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);
  private static final Duration RETRY_FIRST = Duration.ofMillis(50);
  private static final Duration RETRY_MAX = Duration.ofSeconds(5);

  private final Broker broker;
  private final TimeSource time;
  private final Signal signal;
  private final String queue;
  private final RequestSlots slots;
  private final Consumer<List<PushItem>> beforeAnswer;
  private volatile boolean gaveUp;

  /**
   * @param beforeAnswer is given messages just before their futures are completed, once each
   */
  BatchSender(
      Broker broker,
      TimeSource time,
      Signal signal,
      String queue,
      Consumer<List<PushItem>> beforeAnswer) {
    this.broker = broker;
    this.time = time;
    this.signal = signal;
    this.queue = queue;
    this.slots = new RequestSlots(broker::openSession);
    this.beforeAnswer = beforeAnswer;
  }

  /** Nothing is tried again from here on. */
  void giveUp() {
    gaveUp = true;
  }

  void send(List<PushItem> batch, long deadlineNanos) {
    PushRequest request = PushRequest.of(batch.stream().map(item -> item.message).toList());
    NumberedRequest once = new NumberedRequest(slots);
    RuntimeException failure;
    try {
      failure = push(() -> tryOnce(once, request, batch), deadlineNanos);
    } finally {
      once.end();
    }
    if (failure == null) {
      return;
    }
    if (batch.size() > 1 && isOfOneMessage(failure)) {
      // The whole batch was refused because of some of it: the others need not suffer.
      batch.forEach(item -> send(List.of(item), deadlineNanos));
      return;
    }
    LOG.warn(
        "{} messages for queue {} could not be pushed; their futures say so: {}",
        batch.size(),
        queue,
        failure.toString());
    beforeAnswer.accept(batch);
    batch.forEach(item -> item.future.completeExceptionally(failure));
  }

  private static boolean isOfOneMessage(RuntimeException failure) {
    return failure instanceof RefusedException refused
        && (refused.code() == ErrorCode.TOO_LARGE || refused.code() == ErrorCode.LIMIT);
  }

  /** Tries until the batch is stored, and answers null, or until it has failed. */
  private @Nullable RuntimeException push(
      Supplier<@Nullable RuntimeException> attempt, long deadlineNanos) {
    Backoff backoff = new Backoff(RETRY_FIRST, RETRY_MAX);
    boolean inDoubt = false;
    while (true) {
      RuntimeException failure = attempt.get();
      if (failure == null) {
        return null;
      }
      inDoubt |= failure instanceof UnreachableException unreachable && unreachable.isInDoubt();
      long nextNanos = time.nanos() + backoff.next().toNanos();
      if (!isPassing(failure) || gaveUp || nextNanos - deadlineNanos > 0 || !pause(nextNanos)) {
        return inDoubt ? doubtful(failure) : failure;
      }
    }
  }

  private @Nullable RuntimeException tryOnce(
      NumberedRequest once, PushRequest request, List<PushItem> batch) {
    try {
      Result<Pushed> result = once.send(number -> broker.push(request.number(number)));
      if (!result.isOk()) {
        return new RefusedException(result.refusal());
      }
      List<PushedMessage> pushed = result.orThrow().messages();
      beforeAnswer.accept(batch);
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).future.complete(pushed.get(i));
      }
      return null;
    } catch (RuntimeException failed) {
      return failed;
    }
  }

  private static boolean isPassing(RuntimeException failure) {
    return (failure instanceof UnreachableException
            && !(failure.getCause() instanceof RefusedException))
        || (failure instanceof RefusedException refused && refused.code().retryable());
  }

  private boolean pause(long untilNanos) {
    try {
      return !signal.await(() -> gaveUp, untilNanos);
    } catch (InterruptedException impossible) {
      throw new IllegalStateException("nobody interrupts this thread", impossible);
    }
  }

  /** An earlier try may have stored the batch, whatever the last one said. */
  private static RuntimeException doubtful(RuntimeException last) {
    return last instanceof UnreachableException unreachable && unreachable.isInDoubt()
        ? last
        : new UnreachableException(
            "the push may have been stored by an earlier try; the last one failed: "
                + last.getMessage(),
            true,
            last);
  }
}
