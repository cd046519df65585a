package io.holdfast.bench.crash;

import io.holdfast.api.Broker;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import java.util.List;

/**
 * The queues of a crash run and the names in them: each worker of each round has a partition, a
 * journal and a record of its own, so that its steps can be judged by themselves.
 */
final class CrashQueues {
  static final int RETRY_LIMIT = 3;

  /** Settled messages are kept in one and trimmed at once in the other. */
  private static final List<String> QUEUES = List.of("crash-keep", "crash-trim");

  private static final long RETRY_DELAY_MS = 20;

  private CrashQueues() {}

  static void configure(Broker broker) {
    for (String queue : QUEUES) {
      broker
          .configure(
              ConfigureRequest.queue(queue)
                  .set(QueueOption.RETRY_LIMIT, RETRY_LIMIT)
                  .set(QueueOption.RETRY_DELAY, RETRY_DELAY_MS)
                  .set(QueueOption.RETRY_DELAY_MAX, RETRY_DELAY_MS)
                  .set(QueueOption.COMPLETED_RETENTION, queue.endsWith("trim") ? 0L : null))
          .orThrow();
    }
  }

  /**
   * The place of one worker in one round.
   *
   * @param journal also the key of its record
   */
  record Place(String queue, String partition, String journal) {
    static Place of(int round, int worker) {
      String name = "r" + round + "w" + worker;
      return new Place(QUEUES.get(worker % QUEUES.size()), name, name);
    }
  }
}
