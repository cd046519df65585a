package io.holdfast.client.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.task.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks for devices, on any broker: published to topics, given to every subscriber, followed from
 * publish to completion, retried when they fail, and kept aside when they fail too often.
 *
 * <p>All of it is in the broker: this holds no state that a restart, or another process with a task
 * broker of its own, would miss.
 *
 * <p>Thread: any. No lock is held while the broker is asked.
 */
public final class TaskBroker implements AutoCloseable {
  private final Wiring wiring;
  private final TaskStates states;
  private final DeadTasks dead;
  private final Subscribers subscribers;
  private volatile boolean closed;

  private TaskBroker(Wiring wiring) {
    this.wiring = wiring;
    this.subscribers = new Subscribers(wiring);
    this.states = new TaskStates(wiring.broker(), wiring.places());
    this.dead = new DeadTasks(wiring.broker(), wiring.topics(), wiring.places(), wiring.log());
  }

  /** A task broker with the usual configuration; it leaves the broker open when it is closed. */
  public static TaskBroker on(Broker broker) {
    return on(broker, TaskBrokerConfig.DEFAULTS);
  }

  public static TaskBroker on(Broker broker, TaskBrokerConfig config) {
    return on(broker, config, TimeSource.SYSTEM);
  }

  /** A task broker under another clock, for tests: that of the broker. */
  public static TaskBroker on(Broker broker, TaskBrokerConfig config, TimeSource time) {
    return on(broker, config, time, LoggerFactory.getLogger(TaskBroker.class));
  }

  static TaskBroker on(Broker broker, TaskBrokerConfig config, TimeSource time, Logger log) {
    return new TaskBroker(Wiring.of(broker, config, time, new TaskLog(log)));
  }

  public TaskBrokerConfig config() {
    return wiring.config();
  }

  /**
   * Publishes a task to its topic; it waits there for subscribers if there are none yet.
   *
   * @throws io.holdfast.api.RefusedException if the broker refuses it
   * @throws io.holdfast.api.UnreachableException if the broker does not answer; publish it again,
   *     the same id is the same task
   */
  public Published publish(Task task) {
    return publish(List.of(task)).get(0);
  }

  /** Publishes a task to a topic, whatever topic it names itself. */
  public Published publish(String topic, Task task) {
    return publish(task.topic(topic));
  }

  /** Publishes tasks, all or none, duplicates aside. */
  public List<Published> publish(List<Task> tasks) {
    open();
    List<NewMessage> messages = new ArrayList<>(tasks.size());
    for (Task task : tasks) {
      check(task);
      messages.add(TaskCodec.message(task));
    }
    tasks.stream().map(Task::topic).distinct().forEach(wiring.topics()::prepare);
    List<PushedMessage> pushed =
        wiring.broker().push(new PushRequest(messages, null)).orThrow().messages();
    List<Published> published = new ArrayList<>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      Task task = tasks.get(i);
      PushedMessage message = pushed.get(i);
      wiring.places().remember(task.id(), task.topic(), message.id());
      wiring.counters().published(message.duplicate());
      published.add(new Published(task.id(), message.id(), message.duplicate()));
    }
    return published;
  }

  private void check(Task task) {
    int priorities = wiring.config().priorities();
    if (task.priority() >= priorities) {
      throw new IllegalArgumentException(
          "priority: expected 0 (first) to " + (priorities - 1) + ", but got " + task.priority());
    }
    Places.Place place = wiring.places().remembered(task.id());
    if (place != null && !place.topic().equals(task.topic())) {
      throw new IllegalArgumentException(
          "id: expected one that no other topic has, but task "
              + task.id()
              + " is in topic "
              + place.topic()
              + "; give the copy for "
              + task.topic()
              + " an id of its own");
    }
  }

  /**
   * Subscribes by a number: the first nameless subscription of a topic in this task broker is
   * {@code subscriber-1}, the next {@code subscriber-2}, so that each gets every task, and a
   * restart finds its own again. Name subscribers that are in several processes.
   */
  public TaskSubscription subscribe(String topic) {
    open();
    return subscribers.subscribe(topic);
  }

  /** Subscribes by a name: every subscriber gets every task. */
  public TaskSubscription subscribe(String topic, String subscriber) {
    open();
    return subscribers.subscribe(topic, subscriber, null);
  }

  /**
   * Subscribes one of several devices of a subscriber, who share its tasks.
   *
   * @param deviceId who takes the tasks here: only acks of this device count for them
   */
  public TaskSubscription subscribe(String topic, String subscriber, String deviceId) {
    open();
    return subscribers.subscribe(topic, subscriber, Texts.name("deviceId", deviceId));
  }

  /** Ends the subscriber of a subscription, with all that waits for it. */
  public void unsubscribe(TaskSubscription subscription) {
    unsubscribe(subscription.topic(), subscription.subscriber());
  }

  /**
   * Ends a subscriber, with all that waits for it and its dead tasks: tasks are complete without
   * it. Its subscriptions in this task broker are closed; close those of other processes first,
   * because one that goes on taking subscribes again, to what is published from then on.
   *
   * @return whether there was such a subscriber
   */
  public boolean unsubscribe(String topic, String subscriber) {
    return subscribers.unsubscribe(topic, subscriber);
  }

  /**
   * Where devices send acks. It stays open when this is closed: work that was done should count.
   */
  public AckSink acks() {
    return wiring.acks();
  }

  /** Tells a listener of every ack that comes in here; closing what this answers ends that. */
  public AckRegistration onAck(AckListener listener) {
    wiring.acks().listen(listener);
    return () -> wiring.acks().unlisten(listener);
  }

  /** The registration of a listener. */
  public interface AckRegistration extends AutoCloseable {
    /** The listener hears no more. */
    @Override
    void close();
  }

  /**
   * How far a task is.
   *
   * @throws UnknownTaskException if there is no such task
   */
  public TaskStatus taskStatus(UUID taskId) {
    return states.status(taskId);
  }

  /**
   * All that is known of a task.
   *
   * @throws UnknownTaskException if there is no such task
   */
  public TaskState taskState(UUID taskId) {
    return states.state(taskId);
  }

  /** The dead tasks of all topics, oldest death first, 10,000 at most; a copy. */
  public List<DlqEntry> deadLetters() {
    return dead.list();
  }

  /** The dead tasks of one topic, oldest death first, 10,000 at most; a copy. */
  public List<DlqEntry> deadLetters(String topic) {
    return dead.list(topic);
  }

  /**
   * Has a dead task tried again at once, by each subscriber for whom it died, with its failures
   * forgotten.
   *
   * @return for how many subscribers
   * @throws UnknownTaskException if it is not in the DLQ
   */
  public long requeue(UUID taskId) {
    return dead.requeue(taskId);
  }

  /**
   * Accepts that a task has failed: it leaves the DLQ.
   *
   * @return for how many subscribers
   * @throws UnknownTaskException if it is not in the DLQ
   */
  public long remove(UUID taskId) {
    return dead.remove(taskId);
  }

  /** Empties the DLQ of all topics; answers how many entries there were. */
  public long clear() {
    return dead.clear();
  }

  /** The figures; those of the retry queue and the DLQ are asked of the broker. */
  public TaskMetrics metrics() {
    long returned = 0;
    long deadNow = 0;
    for (QueueInfo topic : wiring.topics().list()) {
      returned += topic.counts().returned();
      deadNow += topic.counts().dead();
    }
    return wiring.counters().snapshot(returned, deadNow);
  }

  /** The figures that this process counted; those of the broker are 0. */
  TaskMetrics counted() {
    return wiring.counters().snapshot(0, 0);
  }

  TimeSource time() {
    return wiring.time();
  }

  private void open() {
    if (closed) {
      throw new IllegalStateException("the task broker is closed");
    }
  }

  /**
   * Closes all subscriptions, as {@link TaskSubscription#close} does; subscribers and tasks stay in
   * the broker, which stays open.
   */
  @Override
  public void close() {
    closed = true;
    subscribers.close();
    wiring.renewals().close();
  }
}
