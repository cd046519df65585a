package io.holdfast.cluster.raft;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the other nodes until a node with an empty directory knows what to do.
 *
 * <p>Thread: it has one of its own.
 */
final class FirstStartThread implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FirstStartThread.class);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration REMINDER = Duration.ofSeconds(10);

  private final FirstStart first;
  private final BiConsumer<UUID, List<Member>> begin;
  private final NodeFailure failure;
  private final Thread thread;

  private String reason = "";
  private long saidNanos;

  FirstStartThread(FirstStart first, BiConsumer<UUID, List<Member>> begin, NodeFailure failure) {
    this.first = first;
    this.begin = begin;
    this.failure = failure;
    this.thread = Thread.ofPlatform().daemon().name("holdfast-first-start").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted() && !isDecided(first.decide())) {
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } catch (Exception | Error failed) {
      failure.report("the first start failed: " + failed.getMessage());
      LOG.debug("The first start failed.", failed);
    }
  }

  private boolean isDecided(FirstStart.Decision decision) {
    switch (decision) {
      case FirstStart.Decision.Begin start -> {
        LOG.info(
            start.members().isEmpty()
                ? "This node belongs to the cluster {} and waits to be added: holdfast cluster add"
                : "This node starts the log of the cluster {}.",
            start.cluster());
        begin.accept(start.cluster(), start.members());
        return true;
      }
      case FirstStart.Decision.Refuse refused -> {
        failure.report(refused.reason());
        return true;
      }
      case FirstStart.Decision.Wait wait -> {
        remind(wait.reason());
        return false;
      }
    }
  }

  private void remind(String waitsFor) {
    long now = System.nanoTime();
    if (!waitsFor.equals(reason) || now - saidNanos > REMINDER.toNanos()) {
      reason = waitsFor;
      saidNanos = now;
      LOG.info("First start: waiting for the other nodes: {}.", waitsFor);
    }
  }

  @Override
  public void close() {
    if (Thread.currentThread().equals(thread)) {
      return;
    }
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
