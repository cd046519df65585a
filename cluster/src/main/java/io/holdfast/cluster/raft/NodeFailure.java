package io.holdfast.cluster.raft;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports once why the node cannot continue.
 *
 * <p>Thread: any.
 */
final class NodeFailure {
  private static final Logger LOG = LoggerFactory.getLogger(NodeFailure.class);

  /** Ratis closes a log first and explains later. */
  private static final Duration EXPLANATION = Duration.ofMillis(500);

  private final Consumer<String> listener;
  private final AtomicBoolean done = new AtomicBoolean();

  NodeFailure(Consumer<String> listener) {
    this.listener = listener;
  }

  /** The node cannot continue. */
  void report(String reason) {
    if (done.compareAndSet(false, true)) {
      LOG.error("This node stops: {}", reason);
      listener.accept(reason);
    }
  }

  /** The log was closed: reports that, unless the cause is reported within a moment. */
  void reportClosed() {
    CompletableFuture.delayedExecutor(EXPLANATION.toMillis(), TimeUnit.MILLISECONDS)
        .execute(
            () ->
                report(
                    "the log of the cluster was closed after an error, which the messages before"
                        + " this one describe. Restart the node; if it fails again, replace it."));
  }

  /** The node is being closed: what comes now is no failure. */
  void expectClose() {
    done.set(true);
  }
}
