package io.holdfast.client.consume;

import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ConsumerSetup} has been told. It is changed only in a copy that nobody else has.
 *
 * <p>Thread: one; any once it is handed on.
 */
final class ConsumerOptions {
  static final Duration DRAIN = Duration.ofSeconds(30);

  final String queue;
  @Nullable String partition;
  String group = PopRequest.QUEUE_MODE;
  int batch = 1;
  int partitions = 1;
  int concurrency = 1;
  long limit = Allowance.UNLIMITED;
  @Nullable Duration idle;
  @Nullable Duration leaseTime;
  boolean renew = true;
  @Nullable Duration renewEvery;

  /** Whether the next batch is fetched while one is handled; null to decide by what is measured. */
  @Nullable Boolean prefetch;

  Duration waitFor = Duration.ZERO;
  Duration drain = DRAIN;
  AckMode ackMode = AckMode.AFTER_HANDLER;
  StartFrom start = StartFrom.ALL;
  @Nullable String worker;
  @Nullable Consumer<HeldMessage> onSuccess;
  @Nullable BiConsumer<HeldMessage, Throwable> onError;
  List<ConsumerListener> listeners = List.of();

  ConsumerOptions(String queue) {
    this.queue = queue;
  }

  ConsumerOptions copy() {
    ConsumerOptions copy = new ConsumerOptions(queue);
    copy.partition = partition;
    copy.group = group;
    copy.batch = batch;
    copy.partitions = partitions;
    copy.concurrency = concurrency;
    copy.limit = limit;
    copy.idle = idle;
    copy.leaseTime = leaseTime;
    copy.renew = renew;
    copy.renewEvery = renewEvery;
    copy.prefetch = prefetch;
    copy.waitFor = waitFor;
    copy.drain = drain;
    copy.ackMode = ackMode;
    copy.start = start;
    copy.worker = worker;
    copy.onSuccess = onSuccess;
    copy.onError = onError;
    copy.listeners = new ArrayList<>(listeners);
    return copy;
  }

  /** The pop that all this asks for, without waiting. */
  PopRequest pop() {
    return pop(partition);
  }

  /**
   * The same from one partition.
   *
   * @param only null for all
   */
  PopRequest pop(@Nullable String only) {
    PopSource source =
        only == null ? new PopSource.WholeQueue(queue) : new PopSource.OnePartition(queue, only);
    PopRequest request =
        PopRequest.of(source)
            .group(group)
            .batch(batch)
            .partitions(partitions)
            .leaseMs(leaseTime == null ? 0 : leaseTime.toMillis())
            .autoAck(ackMode == AckMode.AT_DELIVERY)
            .start(start);
    return worker == null ? request : request.worker(worker);
  }

  /**
   * Whether the next batch may be fetched while one is handled.
   *
   * <p>Not what is acked at delivery: a crash would lose a batch that nobody had begun. Not what is
   * acked by hand: in an ordered partition the next message comes when the one before is settled,
   * not when its handler has returned. Not what is not renewed: its time would run out while it
   * waits.
   */
  boolean mayPrefetch() {
    return renew && ackMode == AckMode.AFTER_HANDLER;
  }

  ConsumerId id() {
    return new ConsumerId(queue, group);
  }
}
