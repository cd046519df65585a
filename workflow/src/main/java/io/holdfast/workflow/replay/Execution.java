package io.holdfast.workflow.replay;

import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowCancelled;
import io.holdfast.workflow.TaskFailed;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.History;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a flow: its code on a thread of its own, from its first line to where it waits.
 *
 * <p>It is made from a history and catches up with it by running the code; afterwards the thread
 * stays where it waits, and goes on when something comes.
 *
 * <p>Thread: one driver at a time.
 */
public final class Execution {
  /** Where the code stands when its driver goes on. */
  public enum State {
    /** It waits for something that has not come. */
    WAITING,
    /** It can go on when what is new has been stored. */
    CHECKPOINT,
    /** It is about to run a step, and can go on when its history is known to be complete. */
    UNCONFIRMED,
    /** It has ended. */
    ENDED,
    /** It does not fit its history. */
    BROKEN
  }

  private static final int CAUSES_MAX = 20;

  private final ExecutionId id;
  private final Code code;
  private final Tape tape;
  private final Context context;
  private final Running running;
  private final Coroutine coroutine;
  private State state = State.WAITING;
  private @Nullable String broken;
  private @Nullable Throwable fatal;

  /**
   * An execution with a history that begins with {@link Event.Started}.
   *
   * @throws IllegalArgumentException if the history does not begin so
   */
  public Execution(ExecutionId id, History history, Code code) {
    if (history.started() == null) {
      throw new IllegalArgumentException("history: expected it to begin with a start");
    }
    this.id = id;
    this.code = code;
    this.tape = new Tape(history, code.time());
    this.context = new Context(tape, code.payloads(), new ToDriver());
    this.running = new Running(id, context);
    this.coroutine = new Coroutine("flow-" + id.flow(), this::run);
  }

  /** A new execution, whose start is still to be stored. */
  public static Execution begin(ExecutionId id, Event.Started started, Code code) {
    Execution execution = new Execution(id, History.of(List.of(started)), code);
    execution.tape.nothingStored(started);
    return execution;
  }

  /**
   * Runs code on a history as far as that goes, and does nothing new.
   *
   * @return why the code does not fit, in words with a diff; null if it fits
   * @throws IllegalArgumentException if the history does not begin with a start
   */
  public static @Nullable String check(ExecutionId id, History history, Code code) {
    Execution execution = new Execution(id, history, code);
    execution.context.onlyReplay();
    State state = execution.resume();
    execution.giveUp();
    return state == State.BROKEN ? execution.broken() : null;
  }

  private final class ToDriver implements Context.Driver {
    @Override
    public boolean isOwnThread() {
      return coroutine.isCurrent();
    }

    @Override
    public void checkNotGivenUp() {
      coroutine.checkNotGivenUp();
    }

    @Override
    public void parked() {
      pause(State.WAITING);
    }

    @Override
    public void checkpoint() {
      pause(State.CHECKPOINT);
    }

    @Override
    public void confirm() {
      pause(State.UNCONFIRMED);
    }

    @Override
    public void broken(String why) {
      broken = why;
      while (true) {
        pause(State.BROKEN);
      }
    }

    private void pause(State now) {
      state = now;
      coroutine.pause();
    }
  }

  /** Gives the code what came, and waits until it can do no more. */
  public State advance(Collection<? extends Event> inputs) {
    context.turnBegins();
    tape.give(inputs);
    return resume();
  }

  /** Lets the code go on after a checkpoint. */
  public State resume() {
    coroutine.resume();
    if (fatal instanceof VirtualMachineError error) {
      throw error;
    }
    return state;
  }

  private void run() {
    History.Entry first = tape.pass();
    Event.Started started = (Event.Started) first.event();
    context.signals.remember(started.seen());
    Event end;
    try {
      Object input =
          context.decoded(started.input(), code.orchestration().inputType(), first.number());
      end = ended(code.orchestration().run(running, input));
    } catch (Unwound over) {
      throw over;
    } catch (VirtualMachineError error) {
      if (!(error instanceof StackOverflowError)) {
        // The machine is in trouble, not the flow.
        fatal = error;
        return;
      }
      end = failed(error);
    } catch (Throwable thrown) {
      end = failed(thrown);
    }
    context.endTasks(end instanceof Event.FlowCancelled);
    context.record(end, event -> true);
    state = State.ENDED;
  }

  private Event ended(@Nullable Object output) {
    Event next = running.next();
    if (next != null) {
      return next;
    }
    try {
      return new Event.FlowCompleted(tape.stampMs(), context.encoded("output", output));
    } catch (IllegalArgumentException refused) {
      return failed(refused);
    }
  }

  private Event failed(Throwable thrown) {
    if (thrown instanceof FlowCancelled cancelled) {
      return new Event.FlowCancelled(tape.stampMs(), cancelled.reason());
    }
    return new Event.FlowFailed(tape.stampMs(), Failure.of(thrown), taskOf(thrown));
  }

  /** The task whose failure is at the bottom of it; -1 if there is none. */
  private static long taskOf(Throwable thrown) {
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
      if (cause instanceof TaskFailed failed) {
        return failed.task();
      }
      cause = cause.getCause();
    }
    return -1;
  }

  public ExecutionId id() {
    return id;
  }

  public State state() {
    return state;
  }

  /** Whether the code has caught up with the history. */
  public boolean isCurrent() {
    return !tape.isReplaying();
  }

  /** Why it does not fit its history, in words with a diff. */
  public String broken() {
    return broken == null ? "" : broken;
  }

  /** What is new and not stored. */
  public List<Event> fresh() {
    return tape.fresh();
  }

  /** How many events are stored. */
  public long position() {
    return tape.position();
  }

  /** What was new has been stored, with a number of notes behind it. */
  public void stored(int notes) {
    tape.stored(notes);
  }

  /** The events that nobody has waited for, those included that came after the end. */
  public List<Event.Received> unread() {
    List<Event.Received> unread = new ArrayList<>(context.signals.unread());
    for (Event input : tape.inputs()) {
      if (input instanceof Event.Received event && !context.signals.isKnown(event.id())) {
        unread.add(event);
      }
    }
    return unread;
  }

  /** The ids of the last events that came. */
  public List<String> seen() {
    return context.signals.seen();
  }

  /** Roughly the bytes that it holds in memory, besides its thread. */
  public long bytes() {
    return context.bytes();
  }

  /** The code is not to go on: its thread is forgotten. */
  public void giveUp() {
    coroutine.giveUp();
  }

  /** Where in its code it is. */
  public String stack() {
    return Arrays.stream(coroutine.stack())
        .map(frame -> "\tat " + frame)
        .collect(Collectors.joining("\n"));
  }

  @Override
  public String toString() {
    return "execution of " + id;
  }
}
