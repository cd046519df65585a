package io.holdfast.bench.flows;

import io.holdfast.api.Broker;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.CpuTime;
import io.holdfast.bench.Latencies;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.Orchestration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

/**
 * Flows of one kind, started as fast as they end, at most so many at a time.
 *
 * <p>Thread: the one that runs the bench.
 */
final class FlowLoad {
  private static final Duration END_MAX = Duration.ofMinutes(1);

  /**
   * What came of it.
   *
   * @param workedPerSecond seconds that code of activities ran in each second, all slots together
   * @param turnsPerSecond turns that were stored
   * @param replayedShare the share of turns for which the flow was made again from its history
   */
  record Outcome(
      double perSecond,
      double workedPerSecond,
      double turnsPerSecond,
      double cpuMicros,
      double p50Ms,
      double p99Ms,
      double turnsPerFlow,
      double replayedShare) {
    double cpuMicrosPerTurn() {
      return cpuMicros * perSecond / turnsPerSecond;
    }
  }

  private final Orchestration<Integer, Integer> flow;
  private final IntUnaryOperator expected;
  private final int atATime;
  private final int starters;
  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong turns = new AtomicLong();
  private final AtomicLong replays = new AtomicLong();
  private final AtomicLong workedNanos = new AtomicLong();
  private final Map<String, Long> begun = new ConcurrentHashMap<>();
  private final Latencies latencies = new Latencies();
  private final Semaphore room;
  private volatile boolean starting = true;
  private volatile boolean measuring;

  /**
   * @param expected the result of a flow, by its input
   */
  FlowLoad(
      Orchestration<Integer, Integer> flow, IntUnaryOperator expected, int atATime, int starters) {
    this.flow = flow;
    this.expected = expected;
    this.atATime = atATime;
    this.starters = starters;
    this.room = new Semaphore(atATime);
  }

  /** Lets one worker run them for a time. */
  Outcome run(Broker broker, CpuTime cpu, FlowsConfig config, int seconds)
      throws InterruptedException {
    return run(broker, cpu, List.of(config), seconds, FlowsRun.warmUpMs(seconds));
  }

  /**
   * Lets workers run them for a time, after some to warm up; then checks each one's result.
   *
   * @param configs that of each worker
   */
  Outcome run(Broker broker, CpuTime cpu, List<FlowsConfig> configs, int seconds, long warmUpMs)
      throws InterruptedException {
    AtomicLong number = new AtomicLong();
    List<Flows> workers = new ArrayList<>();
    try {
      for (FlowsConfig config : configs) {
        workers.add(Flows.on(broker, config).register(Samples.all()).listener(new Ends()).serve());
      }
      Flows flows = workers.getFirst();
      Thread[] threads = new Thread[starters];
      for (int i = 0; i < starters; i++) {
        threads[i] = Thread.ofVirtual().start(() -> start(flows, number));
      }
      TimeUnit.MILLISECONDS.sleep(warmUpMs);
      measuring = true;
      long before = ended.get();
      long workedBefore = workedNanos.get();
      long turnsBefore = turns.get();
      long replaysBefore = replays.get();
      long usedBefore = cpu.micros();
      long start = System.nanoTime();
      TimeUnit.SECONDS.sleep(seconds);
      long count = ended.get() - before;
      long took = System.nanoTime() - start;
      double rate = count * 1e9 / took;
      double worked = (double) (workedNanos.get() - workedBefore) / took;
      long turned = turns.get() - turnsBefore;
      double replayed = (double) (replays.get() - replaysBefore) / Math.max(1, turned);
      double cpuMicros = (double) (cpu.micros() - usedBefore) / Math.max(1, count);
      measuring = false;
      starting = false;
      for (Thread thread : threads) {
        thread.join();
      }
      if (!room.tryAcquire(atATime, END_MAX.toSeconds(), TimeUnit.SECONDS)) {
        throw new CheckFailedException(
            "flows: expected all of them to end, but " + begun.size() + " did not");
      }
      check(flows, number.get());
      return new Outcome(
          rate,
          worked,
          turned * 1e9 / took,
          cpuMicros,
          latencies.percentileMs(0.5),
          latencies.percentileMs(0.99),
          (double) turns.get() / number.get(),
          replayed);
    } finally {
      workers.forEach(Flows::close);
    }
  }

  private void start(Flows flows, AtomicLong number) {
    while (starting) {
      try {
        if (!room.tryAcquire(50, TimeUnit.MILLISECONDS)) {
          continue;
        }
      } catch (InterruptedException e) {
        return;
      }
      int n = (int) number.getAndIncrement();
      String id = id(n);
      begun.put(id, System.nanoTime());
      flows.start(flow, id, n);
    }
  }

  private String id(int n) {
    return flow.name() + "-" + n;
  }

  private void check(Flows flows, long count) {
    for (int n = 0; n < count; n++) {
      int result = flows.await(id(n), flow, END_MAX);
      CheckFailedException.expectEqual("result of flow " + id(n), expected.applyAsInt(n), result);
    }
  }

  private final class Ends implements FlowsListener {
    @Override
    public void turn(String id, int events, long nanos, boolean replayed) {
      turns.incrementAndGet();
      if (replayed) {
        replays.incrementAndGet();
      }
    }

    @Override
    public void activityDone(String id, String activity, long nanos) {
      workedNanos.addAndGet(nanos);
    }

    @Override
    public void ended(String id, String name, FlowStatus how) {
      Long start = begun.remove(id);
      if (start != null) {
        if (measuring) {
          latencies.add(System.nanoTime() - start);
        }
        ended.incrementAndGet();
        room.release();
      }
    }
  }
}
