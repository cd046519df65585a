package io.holdfast.bench.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Producers and consumers that do to one queue what goes wrong in life: they fail, stall past their
 * lease, die with one, and say things twice; and a counter that several of them raise by
 * compare-and-set.
 *
 * <p>Thread: one begins and ends it.
 */
final class ClusterLoad {
  private static final int PARTITIONS = 8;
  private static final int MESSAGES_PER_PUSH = 5;
  private static final long LEASE_MS = 5_000;
  private static final long WAIT_MS = 500;
  private static final long PAUSE_NANOS = 2_000_000;
  private static final long TROUBLE_NANOS = 50_000_000;

  private final String queue;
  private final String record;
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
  private volatile boolean ending;

  final AtomicLong calls = new AtomicLong();
  final AtomicLong unanswered = new AtomicLong();
  private final AtomicLong raised = new AtomicLong();
  private final AtomicLong mayBeRaised = new AtomicLong();

  ClusterLoad(String queue) {
    this.queue = queue;
    this.record = "counter-" + queue;
  }

  /** One step of a worker. */
  private interface Step {
    void run(Random random);
  }

  void begin(Broker broker, long seed, int producers, int consumers) {
    for (int i = 0; i < producers; i++) {
      start("producer", new Random(seed + i), random -> produce(broker, random));
    }
    for (int i = 0; i < consumers; i++) {
      start("consumer", new Random(~seed - i), random -> consume(broker, random));
    }
    for (int i = 0; i < 2; i++) {
      start("counter", new Random(seed ^ i), random -> raise(broker));
    }
  }

  private void start(String name, Random random, Step step) {
    threads.add(
        Thread.ofVirtual()
            .name(name)
            .start(
                () -> {
                  while (!ending) {
                    try {
                      step.run(random);
                      calls.incrementAndGet();
                    } catch (UnreachableException | Refused trouble) {
                      unanswered.incrementAndGet();
                      LockSupport.parkNanos(TROUBLE_NANOS);
                    } catch (RuntimeException | Error bug) {
                      faults.add(name + ": " + bug);
                      LockSupport.parkNanos(TROUBLE_NANOS);
                    }
                  }
                }));
  }

  /** A refusal that a cluster may give while its leader changes. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(ErrorCode code) {
      super(code.name());
    }
  }

  private static <T> T done(Result<T> result) {
    if (!result.isOk()) {
      switch (result.refusal().code()) {
        case NOT_LEADER, OUTCOME_UNKNOWN, OVERLOADED, CLOSED, SHARD_STOPPED ->
            throw new Refused(result.refusal().code());
        default -> {}
      }
    }
    return result.orThrow();
  }

  /** Lets the workers end their calls. */
  void end() throws InterruptedException {
    ending = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void produce(Broker broker, Random random) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(MESSAGES_PER_PUSH); i++) {
      messages.add(message(random));
    }
    done(broker.push(PushRequest.of(messages)));
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  private NewMessage message(Random random) {
    return NewMessage.to(queue, Long.toHexString(random.nextLong()).getBytes(UTF_8))
        .partition("p" + random.nextInt(PARTITIONS))
        .lane(random.nextInt(2));
  }

  private void consume(Broker broker, Random random) {
    Popped popped =
        done(
            broker.pop(
                PopRequest.queue(queue)
                    .batch(1 + random.nextInt(8))
                    .partitions(1 + random.nextInt(2))
                    .leaseMs(LEASE_MS)
                    .waitMs(WAIT_MS)));
    if (!popped.isEmpty()) {
      handle(broker, popped, random);
    }
  }

  private void handle(Broker broker, Popped popped, Random random) {
    switch (random.nextInt(40)) {
      case 0 -> {}
      case 1 -> settle(broker, Settle.ackAll(popped.leaseId()));
      case 2 -> settle(broker, Settle.releaseAll(popped.leaseId()));
      case 3 -> {
        LockSupport.parkNanos((LEASE_MS + 100) * 1_000_000);
        ackEach(broker, popped);
      }
      case 4 ->
          settle(broker, Settle.nack(popped.messages().getFirst().handle(), "rest").withRest());
      case 5 -> {
        ackEach(broker, popped);
        ackEach(broker, popped);
      }
      case 6 ->
          popped
              .messages()
              .forEach(held -> settle(broker, Settle.nack(held.handle(), "again").delayMs(0)));
      case 7, 8, 9 -> pass(broker, popped, random);
      default -> ackEach(broker, popped);
    }
  }

  /** Acks the first message and pushes another one, both or none. */
  private void pass(Broker broker, Popped popped, Random random) {
    Settle ack = Settle.ack(popped.messages().getFirst().handle());
    Result<Committed> result =
        broker.commit(
            CommitRequest.of(
                new Operation.SettleMessage(ack),
                new Operation.PushMessage(message(random), false)));
    if (!result.isOk() && result.refusal().code() != ErrorCode.STALE_LEASE) {
      done(result);
    }
  }

  private static void ackEach(Broker broker, Popped popped) {
    List<Settle> acks = new ArrayList<>();
    for (Delivery held : popped.messages()) {
      acks.add(Settle.ack(held.handle()));
    }
    done(broker.settle(SettleRequest.of(acks)));
  }

  private static void settle(Broker broker, Settle settle) {
    done(broker.settle(SettleRequest.of(settle)));
  }

  /** Raises the counter by one, if nobody else has meanwhile. */
  private void raise(Broker broker) {
    Result<StoredRecord> found = broker.record(RecordRequest.of(record));
    boolean absent = !found.isOk() && found.refusal().code() == ErrorCode.NOT_FOUND;
    StoredRecord now = absent ? null : done(found);
    long value = now == null || now.value().length == 0 ? 0 : Long.parseLong(text(now));
    Operation put =
        new Operation.PutRecord(
            record, now == null ? 0 : now.version(), Long.toString(value + 1).getBytes(UTF_8));
    Result<Committed> result;
    try {
      result = broker.commit(CommitRequest.of(put));
    } catch (RuntimeException unanswered) {
      mayBeRaised.incrementAndGet();
      throw unanswered;
    }
    if (result.isOk()) {
      raised.incrementAndGet();
    } else if (result.refusal().code() == ErrorCode.OUTCOME_UNKNOWN) {
      mayBeRaised.incrementAndGet();
    } else if (result.refusal().code() != ErrorCode.WRONG_VERSION) {
      done(result);
    }
    LockSupport.parkNanos(10 * PAUSE_NANOS);
  }

  private static String text(StoredRecord found) {
    return new String(found.value(), UTF_8);
  }

  /** Takes what was left behind, until nothing is. */
  void drain(Broker broker, long msMax) {
    long deadline = System.nanoTime() + msMax * 1_000_000;
    while (System.nanoTime() - deadline < 0) {
      try {
        Popped popped =
            done(
                broker.pop(
                    PopRequest.queue(queue).batch(1_000).partitions(PARTITIONS).waitMs(WAIT_MS)));
        if (!popped.isEmpty()) {
          ackEach(broker, popped);
        } else if (left(broker) == 0) {
          return;
        }
      } catch (UnreachableException | Refused trouble) {
        LockSupport.parkNanos(TROUBLE_NANOS);
      }
    }
    faults.add("the queue " + queue + " could not be drained in time: " + left(broker) + " left");
  }

  private long left(Broker broker) {
    Counts counts = done(broker.queue(queue)).counts();
    return counts.waiting() + counts.returned() + counts.inFlight();
  }

  /** What went wrong besides what the history shows. */
  List<String> faults(Broker broker) {
    List<String> all = new ArrayList<>(faults);
    Result<StoredRecord> found = broker.record(RecordRequest.of(record));
    long value =
        found.isOk() && found.orThrow().value().length > 0
            ? Long.parseLong(text(found.orThrow()))
            : 0;
    long least = raised.get();
    if (value < least || value > least + mayBeRaised.get()) {
      all.add(
          "the counter of "
              + queue
              + " was raised "
              + least
              + " times and perhaps "
              + mayBeRaised.get()
              + " times more, but is "
              + value);
    }
    return all;
  }
}
