package io.holdfast.bench.steps;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.bench.Aim;
import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Latencies;
import io.holdfast.bench.Report;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code bench steps}: operations that concern all partitions of a large queue, and how
 * long pushes to another queue take meanwhile, compared with all those of the same run that were
 * measured without an operation.
 */
public final class StepsRun {
  private static final String QUEUE = "many";
  private static final int AT_ONCE = 1_000;
  private static final int WARM_UP_DIVISOR = 10;
  private static final double TIMES_MAX = 3;
  private static final long LEAST_MS = 2_000;
  private static final long MOST_MS = 300_000;

  /**
   * What to measure.
   *
   * @param parent where to write; null for the usual place
   * @param seconds how long pushes are measured without an operation
   */
  public record Plan(@Nullable Path parent, Durability durability, int partitions, int seconds) {
    public Plan {
      if (partitions < 1) {
        throw new IllegalArgumentException("partitions: expected 1 or more, but got " + partitions);
      }
    }
  }

  private final Report report;
  private final Plan plan;

  /** How many partitions the queue has in this round. */
  private int partitions;

  private final List<Measured> operations = new ArrayList<>();

  /** Pushes while there was no operation: pooled, because a single pause decides a short window. */
  private final Latencies alone = new Latencies();

  /** One operation, and the pushes during it. */
  private record Measured(String name, Latencies pushes, long tookMs) {}

  /** Whether this round is reported; one before it makes the JVM compile the code. */
  private boolean measured;

  public StepsRun(Report report, Plan plan) {
    this.report = report;
    this.plan = plan;
  }

  /** What is measured; it may throw what a broker's call throws. */
  private interface Operation {
    void run();
  }

  public void run() throws InterruptedException {
    try (BenchDirectory directory = BenchDirectory.in(plan.parent());
        EmbeddedBroker broker =
            EmbeddedBroker.open(EngineConfig.at(directory.path()).durability(plan.durability()));
        Bystander bystander = new Bystander(broker)) {
      report.progress("in " + directory.path() + ", " + plan.partitions() + " partitions");
      bystander.start();
      partitions = Math.max(1, plan.partitions() / WARM_UP_DIVISOR);
      round(broker, bystander);
      partitions = plan.partitions();
      measured = true;
      round(broker, bystander);
    }
    operations.forEach(this::add);
    report.finish();
  }

  private void round(Broker broker, Bystander bystander) throws InterruptedException {
    fill(broker);
    measure(bystander, "steps-first-pop", () -> pop(broker, "g"), () -> joined(broker));
    popAll(broker, "g", false);
    measure(bystander, "steps-delivery", () -> set(broker, "shared"), () -> true);
    measure(bystander, "steps-delivery-back", () -> set(broker, "ordered"), () -> true);
    measure(bystander, "steps-delete-group", () -> delete(broker), () -> true);
    popAll(broker, "h", true);
    broker
        .configure(ConfigureRequest.queue(QUEUE).set(QueueOption.COMPLETED_RETENTION, 0L))
        .orThrow();
    measure(bystander, "steps-sweep", () -> {}, () -> info(broker).partitions() == 0);
    fill(broker);
    pop(broker, "g");
    measure(bystander, "steps-delete-queue", () -> deleteQueue(broker), () -> true);
  }

  private void measure(Bystander bystander, String name, Operation operation, BooleanSupplier done)
      throws InterruptedException {
    if (measured) {
      // Or the garbage of preparing an operation would be collected while it is measured.
      System.gc();
    }
    Thread.sleep(measured ? LEAST_MS : 0);
    bystander.next();
    Thread.sleep(measured ? plan.seconds() * 1_000L : 0);
    Latencies before = bystander.next();
    long begun = System.nanoTime();
    operation.run();
    while (!done.getAsBoolean()) {
      if (millisSince(begun) > MOST_MS) {
        throw new CheckFailedException(name + " did not end within " + MOST_MS + " ms");
      }
      Thread.sleep(1);
    }
    long tookMs = millisSince(begun);
    Thread.sleep(Math.max(0, LEAST_MS - tookMs));
    Latencies pushes = bystander.next();
    if (measured) {
      alone.addAll(before);
      operations.add(new Measured(name, pushes, tookMs));
    }
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }

  private void add(Measured operation) {
    double usual = alone.percentileMs(0.99);
    double p99 = operation.pushes.percentileMs(0.99);
    report.add(
        Figure.of(operation.name, p99, "ms p99 of a push")
            .ratio(p99 / usual)
            .with("alone", usual)
            .with("p50", operation.pushes.percentileMs(0.5))
            .with("max", operation.pushes.percentileMs(1))
            .with("took_ms", (double) operation.tookMs));
    report.add(Aim.atMost(operation.name + ", p99 compared with alone", p99 / usual, TIMES_MAX));
  }

  private void fill(Broker broker) {
    for (int from = 0; from < partitions; from += AT_ONCE) {
      List<NewMessage> messages = new ArrayList<>(AT_ONCE);
      for (int i = from; i < Math.min(partitions, from + AT_ONCE); i++) {
        messages.add(NewMessage.to(QUEUE, new byte[10]).partition("p" + i));
      }
      broker.push(new PushRequest(messages, null)).orThrow();
    }
  }

  private static void pop(Broker broker, String group) {
    broker.pop(PopRequest.queue(QUEUE).group(group)).orThrow();
  }

  private boolean joined(Broker broker) {
    Counts counts = info(broker).counts();
    return counts.waiting() + counts.inFlight() == partitions;
  }

  private static void popAll(Broker broker, String group, boolean autoAck) {
    PopRequest request =
        PopRequest.queue(QUEUE).group(group).batch(AT_ONCE).partitions(AT_ONCE).autoAck(autoAck);
    Popped popped = broker.pop(request).orThrow();
    while (!popped.isEmpty()) {
      popped = broker.pop(request).orThrow();
    }
  }

  private static void set(Broker broker, String delivery) {
    broker.configure(ConfigureRequest.queue(QUEUE).set(QueueOption.DELIVERY, delivery)).orThrow();
  }

  private static void delete(Broker broker) {
    broker.deleteGroup(QUEUE, "g").orThrow();
  }

  private static void deleteQueue(Broker broker) {
    broker.deleteQueue(QUEUE).orThrow();
    Result<QueueInfo> gone = broker.queue(QUEUE);
    if (gone.isOk() || gone.refusal().code() != ErrorCode.NOT_FOUND) {
      throw new CheckFailedException("queue " + QUEUE + " is still there after it was deleted");
    }
  }

  private static QueueInfo info(Broker broker) {
    return broker.queue(QUEUE).orThrow();
  }
}
