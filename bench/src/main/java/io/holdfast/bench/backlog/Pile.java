package io.holdfast.bench.backlog;

import io.holdfast.api.Broker;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.bench.Callers;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Payload;
import io.holdfast.bench.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One queue of a backlog run and all that was pushed to it: each message has the number of its
 * partition and its own number there.
 *
 * <p>Thread: each partition is written by one thread at a time.
 */
final class Pile {
  /** Partitions of a pile whose partitions do not matter. */
  static final int PARTITIONS = 4;

  private static final int BATCH = 1_000;
  private static final long PROGRESS_MS = 5_000;

  private final String queue;
  private final long[] pushed = new long[PARTITIONS];

  Pile(String queue) {
    this.queue = queue;
  }

  String queue() {
    return queue;
  }

  long pushed(int partition) {
    return pushed[partition];
  }

  long size() {
    long sum = 0;
    for (long count : pushed) {
      sum += count;
    }
    return sum;
  }

  /** Makes the queue; what is settled goes at once. */
  void configure(Broker broker) {
    broker
        .configure(ConfigureRequest.queue(queue).set(QueueOption.COMPLETED_RETENTION, 0L))
        .orThrow();
  }

  /** Pushes one batch to a partition. */
  void push(Broker broker, int partition, int count, long delayMs) {
    List<NewMessage> messages = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] payload = Payload.of(partition, pushed[partition] + i);
      messages.add(new NewMessage(queue, "p" + partition, 0, payload, null, Map.of(), delayMs, 0));
    }
    int answers = broker.push(PushRequest.of(messages)).orThrow().messages().size();
    CheckFailedException.expectEqual("answers to a push", count, answers);
    pushed[partition] += count;
  }

  /** Pushes many, one caller for each partition, and answers how many per second. */
  double fill(Broker broker, long total, long delayMs, Report report) throws InterruptedException {
    long before = size();
    long start = System.nanoTime();
    Callers callers =
        Callers.start(
            PARTITIONS,
            partition -> {
              long[] left = {total / PARTITIONS + (partition < total % PARTITIONS ? 1 : 0)};
              return () -> {
                int count = (int) Math.min(BATCH, left[0]);
                if (count == 0) {
                  return Callers.Work.DONE;
                }
                push(broker, partition, count, delayMs);
                left[0] -= count;
                return count;
              };
            });
    awaitWithProgress(callers, total, "pushed to " + queue, report);
    return Callers.perSecond(size() - before, System.nanoTime() - start);
  }

  /** Pushes one message to each of many partitions. */
  void spread(Broker broker, long partitions, Report report) throws InterruptedException {
    long[] next = {0};
    Callers callers =
        Callers.start(
            1,
            caller ->
                () -> {
                  int count = (int) Math.min(BATCH, partitions - next[0]);
                  if (count == 0) {
                    return Callers.Work.DONE;
                  }
                  List<NewMessage> messages = new ArrayList<>(count);
                  for (int i = 0; i < count; i++, next[0]++) {
                    messages.add(
                        NewMessage.to(queue, Payload.of(0, next[0])).partition("p" + next[0]));
                  }
                  return broker.push(PushRequest.of(messages)).orThrow().messages().size();
                });
    awaitWithProgress(callers, partitions, "pushed to " + queue, report);
  }

  /** Waits for callers that acknowledge a number of messages, and says how far they are. */
  static void awaitWithProgress(Callers callers, long total, String what, Report report)
      throws InterruptedException {
    long said = System.nanoTime();
    while (callers.acknowledged() < total && callers.alive()) {
      callers.await(20);
      if (System.nanoTime() - said > PROGRESS_MS * 1_000_000) {
        said = System.nanoTime();
        report.progress(what + ": " + callers.acknowledged() + " of " + total);
      }
    }
    callers.join();
    CheckFailedException.expectEqual(what, total, callers.acknowledged());
  }
}
