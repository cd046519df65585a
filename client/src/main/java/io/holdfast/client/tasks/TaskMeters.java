package io.holdfast.client.tasks;

import io.holdfast.api.task.TaskStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a {@link TaskBroker} for Micrometer: {@code new
 * TaskMeters(tasks).bindTo(registry)}.
 *
 * <p>Reading a gauge never waits for the broker. A reading of one of the two figures that the
 * broker holds returns its last answer, and asks again in the background, once a second at most.
 * Before the first answer, and while the broker does not answer, these figures are not a number.
 *
 * <p>Thread: any.
 */
public final class TaskMeters implements MeterBinder {
  private static final long ASK_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

  /** An answer that takes longer than this is not waited for with the one before. */
  private static final long ANSWER_NANOS_MAX = Duration.ofSeconds(30).toNanos();

  private final TaskBroker tasks;
  private @Nullable TaskMetrics answer;
  private boolean asked;
  private boolean asking;
  private long askedNanos;

  public TaskMeters(TaskBroker tasks) {
    this.tasks = tasks;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    ask();
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
    gauge(
        registry,
        "holdfast.tasks.retry.queue",
        "Tasks waiting for a retry.",
        broker -> lastAnswer(TaskMetrics::inRetryQueue));
    gauge(registry, "holdfast.tasks.dlq", "Dead tasks.", broker -> lastAnswer(TaskMetrics::inDlq));
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

  /** A figure of the broker's last answer. */
  private synchronized double lastAnswer(ToDoubleFunction<TaskMetrics> figure) {
    long sinceAsked = tasks.time().nanos() - askedNanos;
    if (!asking && (!asked || sinceAsked >= ASK_EVERY_NANOS)) {
      ask();
    } else if (asking && sinceAsked >= ANSWER_NANOS_MAX) {
      answer = null;
    }
    return answer == null ? Double.NaN : figure.applyAsDouble(answer);
  }

  private synchronized void ask() {
    Thread thread = new Thread(() -> answered(askBroker()), "holdfast-task-meters");
    thread.setDaemon(true);
    thread.start();
    asked = true;
    asking = true;
    askedNanos = tasks.time().nanos();
  }

  private @Nullable TaskMetrics askBroker() {
    try {
      return tasks.metrics();
    } catch (RuntimeException | Error noAnswer) {
      return null;
    }
  }

  private synchronized void answered(@Nullable TaskMetrics metrics) {
    answer = metrics;
    asking = false;
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
