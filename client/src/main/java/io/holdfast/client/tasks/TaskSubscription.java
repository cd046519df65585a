package io.holdfast.client.tasks;

import io.holdfast.api.Limits;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One device's share of a subscriber's tasks: each task goes to one of the devices that subscribed
 * by the same name.
 *
 * <p>The subscriber is durable: closing this leaves it in place, and its tasks wait. {@link
 * TaskBroker#unsubscribe} ends it.
 *
 * <p>Thread: any number may take, and handle.
 */
public final class TaskSubscription implements AutoCloseable {
  /** How long a close waits for handlers that were told to stop. */
  static final Duration STOP_WAIT = Duration.ofSeconds(10);

  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE / 4);
  private static final long NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Wiring wiring;
  private final String topic;
  private final String subscriber;
  private final @Nullable String deviceId;
  private final long subscribedMs;
  private final Consumer<TaskSubscription> onClose;
  private final Callers callers = new Callers();
  private final List<TaskWorker> workers = new CopyOnWriteArrayList<>();

  TaskSubscription(
      Wiring wiring,
      String topic,
      String subscriber,
      @Nullable String deviceId,
      long subscribedMs,
      Consumer<TaskSubscription> onClose) {
    this.wiring = wiring;
    this.topic = topic;
    this.subscriber = subscriber;
    this.deviceId = deviceId;
    this.subscribedMs = subscribedMs;
    this.onClose = onClose;
  }

  public String topic() {
    return topic;
  }

  public String subscriber() {
    return subscriber;
  }

  /** Who takes the tasks; the name of the subscriber, if it did not say. */
  public String deviceId() {
    return deviceId == null ? subscriber : deviceId;
  }

  /**
   * Waits for a task.
   *
   * @throws IllegalStateException if this is closed, before or meanwhile
   * @throws UnreachableException if the broker does not answer
   * @throws RefusedException if the broker is closed or takes no more just now
   */
  public ReceivedTask take() throws InterruptedException {
    return poll(FOREVER).orElseThrow(this::closed);
  }

  /**
   * Waits a while for a task; throws as {@link #take} does.
   *
   * @param timeout how long; zero looks once
   */
  public Optional<ReceivedTask> poll(Duration timeout) throws InterruptedException {
    Optional<ReceivedTask> next = next(timeout);
    if (next.isEmpty() && isClosed()) {
      throw closed();
    }
    return next;
  }

  /**
   * Handles tasks one by one on a thread of their own, until this is closed; called again, on
   * another one besides.
   */
  public TaskSubscription handle(TaskHandler handler) {
    TaskWorker worker = new TaskWorker(wiring, this, handler, workers.size() + 1);
    workers.add(worker);
    if (isClosed()) {
      throw closed();
    }
    worker.start();
    return this;
  }

  private IllegalStateException closed() {
    return new IllegalStateException(
        "the subscription of " + subscriber + " to topic " + topic + " is closed");
  }

  /** The next task; none when the time is over or this is closed. */
  Optional<ReceivedTask> next(Duration timeout) throws InterruptedException {
    long deadline = wiring.time().nanos() + Math.min(timeout.toNanos(), FOREVER.toNanos());
    while (true) {
      long leftMs = (deadline - wiring.time().nanos() + NANOS_PER_MS - 1) / NANOS_PER_MS;
      long waitMs = Math.min(Math.max(0, leftMs), Limits.WAIT_MS_MAX);
      Popped popped = pop(waitMs);
      if (popped == null) {
        return Optional.empty();
      }
      for (Delivery delivery : popped.messages()) {
        if (isOurs(delivery)) {
          return Optional.of(received(delivery));
        }
        // It was published for others, before this subscriber came.
        wiring.broker().settle(SettleRequest.of(Settle.ack(delivery.handle()))).orThrow();
      }
      if (popped.isEmpty() && wiring.time().nanos() - deadline >= 0) {
        return Optional.empty();
      }
    }
  }

  /** Asks the broker for a task; null if this is closed. */
  private @Nullable Popped pop(long waitMs) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (!callers.enter()) {
      return null;
    }
    Popped popped;
    try {
      popped =
          wiring
              .broker()
              .pop(
                  PopRequest.queue(topic)
                      .group(subscriber)
                      .start(StartFrom.NEW)
                      .worker(deviceId())
                      .leaseMs(wiring.config().ackTimeout().toMillis())
                      .waitMs(waitMs))
              .orThrow();
    } catch (UnreachableException | RefusedException noAnswer) {
      if (isClosed()) {
        return null;
      }
      throw noAnswer;
    } finally {
      callers.leave();
    }
    if (isClosed()) {
      giveBack(popped);
      return null;
    }
    if (popped.isEmpty() && Thread.interrupted()) {
      throw new InterruptedException();
    }
    return popped;
  }

  private void giveBack(Popped popped) {
    if (!popped.isEmpty()) {
      try {
        wiring.broker().settle(SettleRequest.of(Settle.releaseAll(popped.leaseId()))).orThrow();
      } catch (UnreachableException | RefusedException noAnswer) {
        // The ack timeout gives it back.
        wiring.log().cannot("Giving a task back", topic, noAnswer);
      }
    }
  }

  /** Whether a task is for this subscriber: it was there when the task was published, or first. */
  private boolean isOurs(Delivery delivery) {
    if (delivery.message().createdMs() > subscribedMs) {
      return true;
    }
    TaskInfo task = Answers.found(wiring.broker().task(MessageRef.id(delivery.message().id())));
    // One that is not followed any more is over, unless somebody requeued it since.
    return task == null
        ? delivery.attempt() > 1
        : task.groups().stream().anyMatch(group -> group.group().equals(subscriber));
  }

  private ReceivedTask received(Delivery delivery) {
    Task task = TaskCodec.task(delivery.message());
    Hold hold =
        new Hold(
            task.id(),
            delivery.message().id(),
            topic,
            subscriber,
            delivery.handle(),
            delivery.message().createdMs(),
            delivery.attempt(),
            deviceId,
            TaskStatus.RECEIVED,
            wiring.time().nanos());
    wiring.holds().add(hold);
    wiring.places().remember(task.id(), topic, delivery.message().id());
    return new ReceivedTask(wiring, task, hold, deviceId(), delivery.failures());
  }

  public boolean isClosed() {
    return callers.isClosed();
  }

  /**
   * Takes no more tasks, and interrupts the handlers and waits for them, {@link #STOP_WAIT} at
   * most. A handler that gives up for that reason has not failed: its task goes to another device.
   */
  @Override
  public void close() {
    stop();
    await(System.nanoTime() + STOP_WAIT.toNanos());
  }

  void stop() {
    if (callers.close()) {
      workers.forEach(TaskWorker::stop);
      onClose.accept(this);
    }
  }

  /** Waits for the handlers, until a time of the system's clock. */
  void await(long deadlineNanos) {
    for (TaskWorker worker : workers) {
      if (!worker.await(deadlineNanos)) {
        wiring.log().handlerLeft(topic, subscriber);
      }
    }
  }
}
