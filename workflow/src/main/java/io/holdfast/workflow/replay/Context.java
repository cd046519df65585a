package io.holdfast.workflow.replay;

import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowCancelled;
import io.holdfast.workflow.Payloads;
import io.holdfast.workflow.history.Describe;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.history.TaskKind;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The code of an execution against its tape: what the code does is recorded or, on a replay,
 * compared, and what came is given to the tasks that wait for it.
 *
 * <p>Thread: the flow's own.
 */
final class Context {
  /** So many new events are stored at once; a turn that makes more is stored in parts. */
  private static final int FRESH_EVENTS_MAX = 1_000;

  private static final int FRESH_BYTES_MAX = 4 << 20;

  final Tape tape;
  final Signals signals = new Signals();
  private final Payloads payloads;
  private final Driver driver;
  private final Map<Long, Leaf<?>> open = new LinkedHashMap<>();
  private int freshBytes;
  private long bytes;
  private boolean inStep;
  private boolean over;
  private boolean onlyReplays;
  private boolean confirmed;
  private boolean cancelPending;
  private @Nullable String cancelReason;

  /** How the code gives way to its driver. */
  interface Driver {
    boolean isOwnThread();

    /** Ends the code if its execution was given up: the flow may go on elsewhere. */
    void checkNotGivenUp();

    /** Nothing more to do until something comes. */
    void parked();

    /** What is new has to be stored before the code goes on. */
    void checkpoint();

    /** Something is about to happen in the world: the history here must be complete. */
    void confirm();

    /** The code does not fit its history; this never returns. */
    void broken(String why);
  }

  Context(Tape tape, Payloads payloads, Driver driver) {
    this.tape = tape;
    this.payloads = payloads;
    this.driver = driver;
  }

  /** Refuses calls that could not be replayed. */
  void check() {
    if (!driver.isOwnThread()) {
      throw new IllegalStateException(
          "a flow may be used only by its own thread, but this is "
              + Thread.currentThread().getName()
              + "; use flow.call or flow.all for things that go on side by side");
    }
    driver.checkNotGivenUp();
    if (inStep) {
      throw new IllegalStateException("the code of a step must not use its flow");
    }
    if (over) {
      throw new IllegalStateException("this execution is over: the flow continues as new");
    }
  }

  /** Nothing new is to happen: the code stops where its history ends. */
  void onlyReplay() {
    onlyReplays = true;
  }

  /** Called before something new happens. */
  void beyondHistory() {
    while (onlyReplays) {
      driver.parked();
    }
  }

  /** What was done, as recorded: now, or when it was done first. */
  History.Entry record(Event now, Predicate<Event> same) {
    History.Entry before = tape.peek();
    if (before != null) {
      if (before.event().getClass() != now.getClass() || !same.test(before.event())) {
        differs(before, Describe.event(now));
      }
      return tape.pass();
    }
    beyondHistory();
    storeIfMuch();
    return new History.Entry(add(now), now);
  }

  private long add(Event event) {
    long number = tape.add(event);
    int size = size(event);
    freshBytes += size;
    bytes += size;
    return number;
  }

  /** Has what is new stored if it has become much. */
  private void storeIfMuch() {
    if (tape.fresh().size() >= FRESH_EVENTS_MAX || freshBytes >= FRESH_BYTES_MAX) {
      store();
    }
  }

  void store() {
    driver.checkpoint();
    freshBytes = 0;
    confirmed = true;
  }

  /** Called before a step runs: this memory must not lack a turn that another worker had. */
  void confirm() {
    if (!confirmed) {
      driver.confirm();
      confirmed = true;
    }
  }

  void turnBegins() {
    freshBytes = 0;
    confirmed = false;
  }

  private static int size(Event event) {
    return switch (event) {
      case Event.CallScheduled e -> e.input().length;
      case Event.SubStarted e -> e.input().length;
      case Event.Launched e -> e.input().length;
      case Event.Completed e -> e.result().length;
      case Event.Received e -> e.data().length;
      case Event.Started e -> e.input().length;
      case Event.StepDone e -> e.result() == null ? 0 : e.result().length;
      default -> 0;
    };
  }

  /** Roughly what the execution keeps in memory besides its thread. */
  long bytes() {
    return bytes;
  }

  <T> Leaf<T> begin(Event now, Predicate<Event> same, Type type) {
    check();
    History.Entry entry = record(now, same);
    Leaf<T> task = new Leaf<>(this, entry.number(), entry.event(), type);
    open.put(task.number, task);
    return task;
  }

  /** A task that may have ended when it began. */
  void begun(Leaf<?> task) {
    if (task.isDone()) {
      open.remove(task.number);
    }
  }

  /** Begins something whose event depends on its own number. */
  <T> Leaf<T> beginNumbered(LongFunction<Event> now, Predicate<Event> same, Type type) {
    check();
    return begin(now.apply(tape.nextNumber()), same, type);
  }

  Leaf<Void> newTimer(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time: expected 0 or more, but got " + time);
    }
    return begin(new Event.TimerSet(tape.stampMs(), time.toMillis()), event -> true, Void.class);
  }

  void cancel(Leaf<?> task) {
    if (task.isDone() || open.remove(task.number) == null) {
      return;
    }
    signals.forget(task);
    record(
        new Event.TaskCancelled(
            tape.stampMs(), task.number, TaskKind.of(task.begun), TaskKind.where(task.begun)),
        event -> event instanceof Event.TaskCancelled e && e.task() == task.number);
    task.fail(Failure.of(Failure.CANCELLED, "the task was cancelled"));
  }

  /** The code is over: timers are stopped, and all else as well if nobody wants it. */
  void endTasks(boolean all) {
    for (Leaf<?> task : new ArrayList<>(open.values())) {
      if (all || task.begun instanceof Event.TimerSet) {
        cancel(task);
      }
    }
  }

  /** Takes in what comes until a task is done. */
  void await(FlowTask<?> task) {
    check();
    while (!task.isDone()) {
      next();
      if (cancelPending) {
        cancelPending = false;
        throw new FlowCancelled(cancelReason == null ? "" : cancelReason);
      }
    }
  }

  private void next() {
    if (tape.isReplaying()) {
      History.Entry before = tape.pass();
      if (!(before.event() instanceof Event.Input)) {
        differs(before, "wait for " + waitsFor());
      }
      if (!isWanted(before.event())) {
        broken(
            "event " + before.number() + " (" + Describe.event(before.event()) + ")",
            "has begun no such task");
      }
      bytes += size(before.event());
      apply(before.event());
      return;
    }
    Event input = tape.nextInput();
    if (input == null) {
      driver.parked();
    } else if (isWanted(input)) {
      storeIfMuch();
      add(input);
      apply(input);
    }
  }

  /** Whether it is neither a repeat nor for a task that nobody waits for. */
  private boolean isWanted(Event input) {
    return switch (input) {
      case Event.Completed e -> open.containsKey(e.task());
      case Event.Failed e -> open.containsKey(e.task());
      case Event.Fired e -> open.containsKey(e.task());
      case Event.Received e -> !signals.isKnown(e.id());
      case Event.CancelRequested e -> cancelReason == null;
      default -> false;
    };
  }

  private void apply(Event input) {
    switch (input) {
      case Event.Completed e -> taken(e.task()).complete(e.result());
      case Event.Failed e -> taken(e.task()).fail(e.failure());
      case Event.Fired e -> taken(e.task()).complete(null);
      case Event.Received e -> {
        signals.receive(e);
        open.values().removeIf(FlowTask::isDone);
      }
      case Event.CancelRequested e -> {
        cancelReason = e.reason();
        new ArrayList<>(open.values()).forEach(this::cancel);
        cancelPending = true;
      }
      default -> throw new IllegalStateException("not an input: " + input);
    }
  }

  private Leaf<?> taken(long number) {
    Leaf<?> task = open.remove(number);
    if (task == null) {
      throw new IllegalStateException("no task " + number);
    }
    return task;
  }

  boolean isCancelled() {
    return cancelReason != null;
  }

  void step(boolean begins) {
    inStep = begins;
  }

  void over() {
    over = true;
  }

  byte[] encoded(String what, @Nullable Object value) {
    byte[] encoded = payloads.write(value);
    if (encoded.length > Payloads.BYTES_MAX) {
      throw new IllegalArgumentException(
          what
              + ": expected at most "
              + Payloads.BYTES_MAX
              + " bytes, but got "
              + encoded.length
              + "; keep it elsewhere and pass a reference");
    }
    return encoded;
  }

  /** A value of the history; one that cannot be read is no fault of the flow. */
  @Nullable Object decoded(byte[] encoded, Type type, long number) {
    try {
      return payloads.read(encoded, type);
    } catch (RuntimeException unreadable) {
      driver.broken(
          "The result of event " + number + " cannot be read: " + unreadable.getMessage());
      throw unreadable;
    }
  }

  private String waitsFor() {
    return open.isEmpty() ? "nothing" : "task " + open.keySet().iterator().next();
  }

  void differs(History.Entry before, String did) {
    broken("event " + before.number() + " (" + Describe.event(before.event()) + ")", did);
  }

  private void broken(String expected, String did) {
    driver.broken(
        "The code does not fit the history.\n"
            + "  history: "
            + expected
            + "\n  code:    "
            + did
            + place());
  }

  /** Where in the code of the user this is. */
  private static String place() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !frame.getClassName().startsWith("io.holdfast.workflow."))
                    .filter(frame -> !frame.getClassName().startsWith("java."))
                    .findFirst()
                    .map(
                        frame ->
                            "\n  at:      "
                                + frame.getClassName()
                                + "."
                                + frame.getMethodName()
                                + ":"
                                + frame.getLineNumber())
                    .orElse(""));
  }
}
