package io.holdfast.client.tasks;

import io.holdfast.api.RefusedException;
import io.holdfast.api.TaskStatus;
import io.holdfast.api.UnreachableException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a {@link TaskBroker} for Micrometer: {@code new
 * TaskMeters(tasks).bindTo(registry)}.
 *
 * <p>Thread: any. The two figures that the broker holds are asked of it at each reading; while it
 * does not answer they are not a number.
 */
public final class TaskMeters implements MeterBinder {
  private final TaskBroker tasks;

  public TaskMeters(TaskBroker tasks) {
    this.tasks = tasks;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "holdfast.tasks.published", "Tasks published.", TaskMetrics::published);
    counter(
        registry,
        "holdfast.tasks.duplicates",
        "Publishes of an id that was there already.",
        TaskMetrics::duplicates);
    for (TaskStatus status : TaskStatus.values()) {
      if (tasks.counted().acknowledged().containsKey(status)) {
        FunctionCounter.builder(
                "holdfast.tasks.acknowledged",
                tasks,
                broker -> broker.counted().acknowledged(status))
            .description("Acks that moved a task on.")
            .tag("status", status.name().toLowerCase(Locale.ROOT))
            .register(registry);
      }
    }
    counter(registry, "holdfast.tasks.acks.repeated", "Acks said before.", TaskMetrics::repeated);
    counter(
        registry,
        "holdfast.tasks.acks.ignored",
        "Acks out of order or too late.",
        TaskMetrics::ignored);
    counter(
        registry, "holdfast.tasks.acks.unknown", "Acks for unknown tasks.", TaskMetrics::unknown);
    gauge(registry, "holdfast.tasks.retry.queue", "Tasks waiting for a retry.", this::inRetryQueue);
    gauge(registry, "holdfast.tasks.dlq", "Dead tasks.", this::inDlq);
    gauge(
        registry,
        "holdfast.tasks.retries.average",
        "Retries of a task that is over.",
        broker -> broker.counted().averageRetryCount());
    FunctionTimer.builder(
            "holdfast.tasks.ack.latency",
            tasks,
            broker -> broker.counted().firstAcks(),
            broker -> broker.counted().ackLatencyTotalMs(),
            TimeUnit.MILLISECONDS)
        .description("From publish to the first ack.")
        .register(registry);
  }

  private double inRetryQueue(TaskBroker broker) {
    return asked(broker, TaskMetrics::inRetryQueue);
  }

  private double inDlq(TaskBroker broker) {
    return asked(broker, TaskMetrics::inDlq);
  }

  private static double asked(TaskBroker broker, ToDoubleFunction<TaskMetrics> figure) {
    try {
      return figure.applyAsDouble(broker.metrics());
    } catch (RefusedException | UnreachableException noAnswer) {
      return Double.NaN;
    }
  }

  private void counter(
      MeterRegistry registry, String name, String what, ToDoubleFunction<TaskMetrics> figure) {
    FunctionCounter.builder(name, tasks, broker -> figure.applyAsDouble(broker.counted()))
        .description(what)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String what, ToDoubleFunction<TaskBroker> figure) {
    Gauge.builder(name, tasks, figure).description(what).register(registry);
  }
}
