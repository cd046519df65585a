package io.holdfast.bench.flows;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Definition;
import io.holdfast.workflow.Flow;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The flows that must survive: each uses one kind of what flows can do, and its result tells
 * whether something was done twice or not at all.
 *
 * <p>Every activity writes the key of its call to a ledger, so that the ledger holds each at least
 * once.
 */
final class Sample {
  static final int FAN = 5;
  static final int ROUNDS = 4;
  static final String EVENT = "go";

  /** How many activities each kind of flow calls. */
  static int calls(String kind) {
    return switch (kind) {
      case "fan" -> FAN;
      case "loop" -> ROUNDS;
      case "parent" -> 1;
      default -> 2;
    };
  }

  private static final Activity<Integer, Integer> SQUARE =
      Activity.named("square", Integer.class, Integer.class, n -> n * n);

  static final Orchestration<Integer, Integer> FAN_OUT =
      Orchestration.named("fan", Integer.class, Integer.class, Sample::fan);
  static final Orchestration<Integer, Integer> NAP =
      Orchestration.named("nap", Integer.class, Integer.class, Sample::nap);
  static final Orchestration<Integer, Integer> PARENT =
      Orchestration.named("parent", Integer.class, Integer.class, Sample::parent);
  static final Orchestration<Integer, Integer> LOOP =
      Orchestration.named("loop", Integer.class, Integer.class, Sample::loop);
  static final Orchestration<Integer, Integer> ASK =
      Orchestration.named("ask", Integer.class, Integer.class, Sample::ask);

  static final List<Orchestration<Integer, Integer>> KINDS =
      List.of(FAN_OUT, NAP, PARENT, LOOP, ASK);

  private Sample() {}

  private static Task<Integer> square(Flow flow, int n) {
    return flow.call(SQUARE, n, Retry.times(3));
  }

  private static int fan(Flow flow, int n) {
    List<Task<Integer>> tasks = IntStream.range(0, FAN).mapToObj(i -> square(flow, n + i)).toList();
    return flow.<Integer>all(tasks).await().stream().mapToInt(i -> i).sum();
  }

  private static int nap(Flow flow, int n) {
    int before = square(flow, n).await();
    flow.sleep(Duration.ofMillis(150));
    return before + square(flow, n + 1).await();
  }

  private static int parent(Flow flow, int n) {
    Task<Integer> one = flow.sub(FAN_OUT, n);
    Task<Integer> other = flow.sub(LOOP, 0);
    return one.await() + other.await() + square(flow, n).await();
  }

  /** The input counts the rounds, in the upper digits it has the sum. */
  private static Integer loop(Flow flow, int n) {
    int round = n % 10;
    int sum = n / 10 + square(flow, round + 1).await();
    if (round + 1 == ROUNDS) {
      return sum;
    }
    return flow.continueAsNew(sum * 10 + round + 1);
  }

  private static int ask(Flow flow, int n) {
    int first = square(flow, n).await();
    int told = flow.event(EVENT, Integer.class).await();
    int step = flow.run("step", Integer.class, () -> told + 1);
    return first + step + square(flow, told).await();
  }

  /** What a flow must answer; one that asks is told its own input. */
  static int expected(String kind, int n) {
    int fan = IntStream.range(n, n + FAN).map(i -> i * i).sum();
    int loop = IntStream.rangeClosed(1, ROUNDS).map(i -> i * i).sum();
    return switch (kind) {
      case "fan" -> fan;
      case "nap" -> n * n + (n + 1) * (n + 1);
      case "parent" -> fan + loop + n * n;
      case "loop" -> loop;
      case "ask" -> n * n + n + 1 + n * n;
      default -> throw new IllegalArgumentException("kind: " + kind);
    };
  }

  /** All code, with an activity that writes to a ledger. */
  static Definition[] code(Path ledger) {
    List<Definition> code = new ArrayList<>(KINDS);
    code.add(
        SQUARE.with(
            (work, n) -> {
              write(ledger, work.key());
              return n * n;
            }));
    return code.toArray(Definition[]::new);
  }

  private static void write(Path ledger, String key) {
    try {
      Files.writeString(
          ledger,
          key + "\n",
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + ledger, e);
    }
  }
}
