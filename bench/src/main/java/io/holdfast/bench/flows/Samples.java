package io.holdfast.bench.flows;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Definition;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The flows that are measured. */
final class Samples {
  static final int FAN_OUT = 5;

  /** Work of no length. */
  static final Activity<Integer, Integer> NEXT =
      Activity.named("next", Integer.class, Integer.class, n -> n + 1);

  /** Work of ten milliseconds. */
  static final Activity<Integer, Integer> SLOW_NEXT =
      Activity.named(
          "slow-next",
          Integer.class,
          Integer.class,
          n -> {
            TimeUnit.MILLISECONDS.sleep(10);
            return n + 1;
          });

  /** Five calls side by side; the sum of what they answer. */
  static final Orchestration<Integer, Integer> FAN_OUT_5 = fanOut("fanout5", NEXT, FAN_OUT);

  static final Orchestration<Integer, Integer> FAN_OUT_5_SLOW =
      fanOut("fanout5-slow", SLOW_NEXT, FAN_OUT);

  static final Orchestration<Integer, Integer> FAN_IN_1000 = fanOut("fanin1000", NEXT, 1_000);

  /** One call after the other, as many as it is told. */
  static final Orchestration<Integer, Integer> CHAIN =
      Orchestration.named(
          "chain",
          Integer.class,
          Integer.class,
          (flow, length) -> {
            int value = 0;
            for (int i = 0; i < length; i++) {
              value = flow.call(NEXT, value).await();
            }
            return value;
          });

  /** The length of {@link #STEPS}. */
  static final int STEPS_LENGTH = 100;

  /**
   * What a step of {@link #STEPS} returns: four kilobytes, so that a replay has something to read.
   */
  private static final String PAGE = "0123456789abcdef".repeat(256);

  /** A step of five milliseconds and a call, one after the other, a hundred times. */
  static final Orchestration<Integer, Integer> STEPS =
      Orchestration.named(
          "steps",
          Integer.class,
          Integer.class,
          (flow, n) -> {
            int value = n;
            for (int i = 0; i < STEPS_LENGTH; i++) {
              String page = flow.run("step", String.class, Samples::page);
              value = flow.call(NEXT, value).await() + page.length() - PAGE.length();
            }
            return value;
          });

  /** Waits for an event. */
  static final Orchestration<Integer, Integer> PARKED =
      Orchestration.named(
          "parked",
          Integer.class,
          Integer.class,
          (flow, n) -> n + flow.event("go", Integer.class).await());

  private Samples() {}

  private static String page() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(5);
    return PAGE;
  }

  private static Orchestration<Integer, Integer> fanOut(
      String name, Activity<Integer, Integer> activity, int width) {
    return Orchestration.named(
        name,
        Integer.class,
        Integer.class,
        (flow, n) -> {
          List<Task<Integer>> tasks = new ArrayList<>();
          for (int i = 0; i < width; i++) {
            tasks.add(flow.call(activity, n + i));
          }
          int sum = 0;
          for (int one : flow.<Integer>all(tasks).await()) {
            sum += one;
          }
          return sum;
        });
  }

  /** What a fan-out of a width answers. */
  static int expected(int n, int width) {
    return width * n + width * (width - 1) / 2 + width;
  }

  static Definition[] all() {
    return new Definition[] {
      NEXT, SLOW_NEXT, FAN_OUT_5, FAN_OUT_5_SLOW, FAN_IN_1000, CHAIN, STEPS, PARKED
    };
  }
}
