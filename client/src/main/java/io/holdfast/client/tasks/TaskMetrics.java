package io.holdfast.client.tasks;

import io.holdfast.api.task.TaskStatus;
import java.time.Duration;
import java.util.Map;

/**
 * The figures of a {@link TaskBroker}: what this process counted since it began, and what the
 * broker holds now, whoever published it.
 *
 * @param published tasks published, duplicates aside
 * @param duplicates publishes of an id that was there already
 * @param acknowledged acks that moved a task on, by their status
 * @param repeated acks that had been said before
 * @param ignored acks out of order or after the ack timeout
 * @param unknown acks for tasks that nobody knows
 * @param inRetryQueue tasks that wait to be tried again now, summed over subscribers
 * @param inDlq dead tasks kept now, summed over subscribers
 * @param ended tasks complete or dead, each subscriber counted
 * @param retries retries that those took
 * @param firstAcks first acks seen
 * @param ackLatencyTotalMs from publish to first ack, summed over those; the publish is by the
 *     broker's clock, the ack by this machine's
 * @param ackLatencyMaxMs the longest of them
 */
public record TaskMetrics(
    long published,
    long duplicates,
    Map<TaskStatus, Long> acknowledged,
    long repeated,
    long ignored,
    long unknown,
    long inRetryQueue,
    long inDlq,
    long ended,
    long retries,
    long firstAcks,
    long ackLatencyTotalMs,
    long ackLatencyMaxMs) {
  public TaskMetrics {
    acknowledged = Map.copyOf(acknowledged);
  }

  /** Acks of one status that moved a task on. */
  public long acknowledged(TaskStatus status) {
    return acknowledged.getOrDefault(status, 0L);
  }

  /** Retries of a task that is over, on average; 0 before the first is. */
  public double averageRetryCount() {
    return ended == 0 ? 0 : (double) retries / ended;
  }

  /** Time from publish to the first ack, on average; zero before the first. */
  public Duration averageAckLatency() {
    return Duration.ofMillis(firstAcks == 0 ? 0 : ackLatencyTotalMs / firstAcks);
  }
}
