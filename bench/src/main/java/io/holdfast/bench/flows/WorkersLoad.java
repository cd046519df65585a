package io.holdfast.bench.flows;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.bench.CpuTime;
import io.holdfast.workflow.FlowsConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Flows with a long history on one or several workers, each with its own memory.
 *
 * <p>The slots of the workers are the limit: each turn has a step that waits, and the broker could
 * store many times as many turns. So the rate shows what turns lose because they replay.
 */
final class WorkersLoad {
  static final String ONE = "flows-workers1";
  static final String THREE = "flows-workers3";

  /** Three workers of which each takes any turn. */
  static final String THREE_ANY = "flows-workers3-any";

  static final List<String> NAMES = List.of(ONE, THREE, THREE_ANY);

  private static final int ROUNDS = 3;
  private static final int SLOTS = 2;
  private static final int WORK_SLOTS = 64;

  /** Flows at a time, so that each worker always has some that can go on. */
  private static final int FLOWS_PER_WORKER = 12;

  /** A broker whose pops leave no flow to the worker that has it in memory. */
  private static final class NotSticky extends ForwardingBroker {
    NotSticky(Broker target) {
      super(target);
    }

    @Override
    public Result<Popped> pop(PopRequest request) {
      return super.pop(request.stickyMs(0));
    }
  }

  /** The middle values of several runs. */
  record Medians(double turnsPerSecond, double cpuMicros, double replayedShare) {}

  private final Broker broker;
  private final CpuTime cpu;
  private final Supplier<FlowsConfig> configs;
  private final int seconds;

  /**
   * @param configs makes one for flows of their own, apart from those of other runs
   */
  WorkersLoad(Broker broker, CpuTime cpu, Supplier<FlowsConfig> configs, int seconds) {
    this.broker = broker;
    this.cpu = cpu;
    this.configs = configs;
    this.seconds = seconds;
  }

  /** Measures figures by turns, because the machine is not the same from one round to the next. */
  Map<String, Medians> run(List<String> names) throws InterruptedException {
    Map<String, List<FlowLoad.Outcome>> outcomes = new LinkedHashMap<>();
    // Once more than counted: the first round compiles the code.
    for (int round = 0; round <= ROUNDS; round++) {
      for (String name : names) {
        FlowLoad.Outcome outcome = run(name);
        if (round > 0) {
          outcomes.computeIfAbsent(name, any -> new ArrayList<>()).add(outcome);
        }
      }
    }
    Map<String, Medians> medians = new LinkedHashMap<>();
    outcomes.forEach(
        (name, all) ->
            medians.put(
                name,
                new Medians(
                    median(all, FlowLoad.Outcome::turnsPerSecond),
                    median(all, FlowLoad.Outcome::cpuMicrosPerTurn),
                    median(all, FlowLoad.Outcome::replayedShare))));
    return medians;
  }

  private static double median(
      List<FlowLoad.Outcome> all, ToDoubleFunction<FlowLoad.Outcome> value) {
    return all.stream().mapToDouble(value).sorted().toArray()[all.size() / 2];
  }

  private FlowLoad.Outcome run(String name) throws InterruptedException {
    int workers = name.equals(ONE) ? 1 : 3;
    FlowsConfig config = configs.get().slots(SLOTS, WORK_SLOTS);
    List<FlowsConfig> each =
        IntStream.range(0, workers).mapToObj(i -> config.worker("worker-" + i)).toList();
    return new FlowLoad(Samples.STEPS, n -> n + Samples.STEPS_LENGTH, workers * FLOWS_PER_WORKER, 1)
        .run(
            name.equals(THREE_ANY) ? new NotSticky(broker) : broker,
            cpu,
            each,
            seconds,
            seconds * 500L);
  }
}
