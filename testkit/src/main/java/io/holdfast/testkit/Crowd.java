package io.holdfast.testkit;

import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many producers and consumers on one queue, who now and then do what goes wrong in life: they
 * fail, they stall past their lease, they die, they say things twice.
 */
public final class Crowd {
  private static final String GROUP = PopRequest.QUEUE_MODE;
  private static final int PARTITIONS = 8;
  private static final int LANES = 3;
  private static final int MESSAGES_PER_PUSH = 5;
  private static final long LEASE_MS = 5_000;

  private final Broker broker;
  private final ManualClock clock;
  private final String queue;
  private final long seed;
  private final AtomicInteger producing = new AtomicInteger();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /**
   * A crowd that has not begun.
   *
   * @param broker who is asked, and reports what it answers
   * @param seed decides what each thread does; their order is left to chance
   */
  public Crowd(Broker broker, ManualClock clock, String queue, long seed) {
    this.broker = broker;
    this.clock = clock;
    this.queue = queue;
    this.seed = seed;
  }

  /** Lets them work until all is pushed and little is left, and then takes the rest. */
  public void run(int producers, int consumers, int pushesEach) throws InterruptedException {
    producing.set(producers);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < producers; i++) {
      Random random = new Random(seed + i);
      threads.add(start(() -> produce(random, pushesEach)));
    }
    for (int i = 0; i < consumers; i++) {
      Random random = new Random(~seed - i);
      threads.add(start(() -> consume(random)));
    }
    long deadline = System.nanoTime() + WaitLimits.WORKLOAD.toNanos();
    for (Thread thread : threads) {
      if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
        throw new AssertionError("expected " + thread + " to end, but seed " + seed + " hangs");
      }
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("seed " + seed, failures.peek());
    }
    drain();
  }

  private Thread start(Runnable work) {
    return Thread.startVirtualThread(
        () -> {
          try {
            work.run();
          } catch (Throwable e) {
            failures.add(e);
          }
        });
  }

  private void produce(Random random, int pushes) {
    try {
      for (int i = 0; i < pushes; i++) {
        List<NewMessage> messages = new ArrayList<>();
        for (int j = 0; j <= random.nextInt(MESSAGES_PER_PUSH); j++) {
          messages.add(
              NewMessage.to(queue, ("m" + i + "." + j).getBytes(StandardCharsets.UTF_8))
                  .partition("p" + random.nextInt(PARTITIONS))
                  .lane(random.nextInt(LANES)));
        }
        broker.push(PushRequest.of(messages)).orThrow();
      }
    } finally {
      producing.decrementAndGet();
    }
  }

  private void consume(Random random) {
    while (true) {
      boolean last = producing.get() == 0;
      PopRequest request =
          PopRequest.queue(queue)
              .batch(1 + random.nextInt(4))
              .partitions(1 + random.nextInt(2))
              .leaseMs(LEASE_MS);
      Popped popped = broker.pop(request).orThrow();
      if (!popped.isEmpty()) {
        handle(popped, random);
      } else if (last && popped.reason() == Popped.Reason.EMPTY) {
        return;
      } else {
        if (random.nextInt(20) == 0) {
          clock.advance(Duration.ofSeconds(1));
        }
      }
    }
  }

  private void handle(Popped popped, Random random) {
    switch (random.nextInt(20)) {
      case 0 -> {}
      case 1 -> settle(Settle.ackAll(popped.leaseId()));
      case 2 -> settle(Settle.releaseAll(popped.leaseId()));
      case 3 -> {
        clock.advance(Duration.ofMillis(LEASE_MS + 1));
        ackEach(popped);
      }
      case 4 -> settle(Settle.nack(popped.messages().getFirst().handle(), "rest").withRest());
      case 5 -> {
        ackEach(popped);
        ackEach(popped);
      }
      case 6 ->
          popped.messages().forEach(held -> settle(Settle.nack(held.handle(), "again").delayMs(0)));
      case 7 ->
          popped
              .messages()
              .forEach(
                  held ->
                      settle(
                          Settle.unfenced(
                              GROUP, held.message().id(), Settle.Outcome.RELEASE, null)));
      default -> ackEach(popped);
    }
  }

  private void ackEach(Popped popped) {
    List<Settle> acks = new ArrayList<>();
    for (Delivery held : popped.messages()) {
      acks.add(Settle.ack(held.handle()));
    }
    broker.settle(SettleRequest.of(acks)).orThrow();
  }

  private void settle(Settle settle) {
    broker.settle(SettleRequest.of(settle)).orThrow();
  }

  /** Takes what was left behind, until the group has settled everything. */
  private void drain() {
    await()
        .atMost(WaitLimits.WORKLOAD)
        .pollInterval(Duration.ofMillis(2))
        .until(
            () -> {
              clock.advance(Duration.ofSeconds(1));
              Popped popped =
                  broker.pop(PopRequest.queue(queue).batch(1_000).partitions(PARTITIONS)).orThrow();
              if (!popped.isEmpty()) {
                ackEach(popped);
              }
              return lag() == 0;
            });
  }

  private long lag() {
    long lag =
        broker.groups(GroupsRequest.ofQueue(queue)).orThrow().items().stream()
            .mapToLong(GroupInfo::lag)
            .sum();
    if (lag < 0) {
      throw new AssertionError("expected a lag of 0 or more, but seed " + seed + " has " + lag);
    }
    return lag;
  }
}
