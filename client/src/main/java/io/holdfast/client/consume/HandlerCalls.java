package io.holdfast.client.consume;

import io.holdfast.api.TimeSource;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the application: its handler, timed and interruptible, and its callbacks.
 *
 * <p>Whatever the application throws ends here: it is a failure of its messages, not of the worker.
 *
 * <p>Thread: any.
 */
final class HandlerCalls {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerCalls.class);

  /** A call of the handler. */
  interface Call {
    void run() throws Exception;
  }

  private final TimeSource time;
  private final Reports reports;
  private final @Nullable Consumer<HeldMessage> onSuccess;
  private final @Nullable BiConsumer<HeldMessage, Throwable> onError;

  HandlerCalls(TimeSource time, Reports reports, ConsumerOptions options) {
    this.time = time;
    this.reports = reports;
    this.onSuccess = options.onSuccess;
    this.onError = options.onError;
  }

  /**
   * Calls the handler, which has {@link HeldBatch#enter entered}.
   *
   * @return what it threw, or null
   */
  @Nullable Throwable call(HeldBatch batch, int messages, Call handler) {
    long began = time.nanos();
    Throwable thrown = null;
    try {
      handler.run();
    } catch (Throwable failed) {
      thrown = failed;
    } finally {
      batch.leave();
    }
    if (thrown instanceof Error error) {
      LOG.error("The handler of queue {} failed with an error.", reports.id().queue(), error);
    }
    reports.handled(messages, Duration.ofNanos(time.nanos() - began), thrown == null);
    return thrown;
  }

  /**
   * Tells the application how it went with a message.
   *
   * @return what the message has failed with, or null: a callback of success that throws makes it a
   *     failure
   */
  @Nullable Throwable tell(HeldMessage message, @Nullable Throwable thrown) {
    Throwable failure = thrown;
    if (failure == null && onSuccess != null) {
      try {
        onSuccess.accept(message);
      } catch (RuntimeException failed) {
        failure = failed;
      }
    }
    if (failure != null && onError != null) {
      try {
        onError.accept(message, failure);
      } catch (RuntimeException failed) {
        LOG.error("The onError of queue {} failed.", reports.id().queue(), failed);
      }
    }
    return failure;
  }
}
