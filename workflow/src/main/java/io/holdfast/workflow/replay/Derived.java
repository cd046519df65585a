package io.holdfast.workflow.replay;

import io.holdfast.workflow.Failure;
import io.holdfast.workflow.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tasks that are made of other tasks. */
final class Derived {
  private Derived() {}

  /** All results of several tasks; failed as soon as one of them is. */
  static final class All<T> extends FlowTask<List<T>> {
    private final List<FlowTask<? extends T>> parts;
    private int open;

    All(Context context, List<FlowTask<? extends T>> parts) {
      super(context);
      this.parts = parts;
      this.open = parts.size();
      for (FlowTask<?> part : parts) {
        part.whenDone(() -> ended(part));
      }
      if (parts.isEmpty()) {
        settle(null, -1);
      }
    }

    private void ended(FlowTask<?> part) {
      open--;
      if (part.failure() != null || open == 0) {
        settle(part.failure(), part.failedTask());
      }
    }

    @Override
    List<T> result() {
      List<T> results = new ArrayList<>(parts.size());
      for (FlowTask<? extends T> part : parts) {
        results.add(part.result());
      }
      return results;
    }

    @Override
    public void cancel() {
      parts.forEach(Task::cancel);
    }
  }

  /** The first of several tasks that ends. */
  static final class Any<T> extends FlowTask<Task<T>> {
    private final List<FlowTask<? extends T>> parts;
    private @Nullable FlowTask<? extends T> first;

    Any(Context context, List<FlowTask<? extends T>> parts) {
      super(context);
      if (parts.isEmpty()) {
        throw new IllegalArgumentException("tasks: expected at least one, but there is none");
      }
      this.parts = parts;
      for (FlowTask<? extends T> part : parts) {
        part.whenDone(() -> ended(part));
      }
    }

    private void ended(FlowTask<? extends T> part) {
      if (first == null) {
        first = part;
        settle(null, -1);
      }
    }

    @Override
    @SuppressWarnings("unchecked")
    Task<T> result() {
      FlowTask<? extends T> winner = first;
      if (winner == null) {
        throw new IllegalStateException("no task has ended");
      }
      return (Task<T>) winner;
    }

    @Override
    public void cancel() {
      parts.forEach(Task::cancel);
    }
  }

  /** A task with a time limit. */
  static final class Within<T> extends FlowTask<T> {
    private final FlowTask<T> task;
    private final Leaf<Void> timer;
    private final Duration limit;

    Within(Context context, FlowTask<T> task, Duration limit) {
      super(context);
      this.task = task;
      this.limit = limit;
      this.timer = context.newTimer(limit);
      task.whenDone(this::inTime);
      timer.whenDone(this::tooLate);
    }

    private void inTime() {
      if (!isDone()) {
        settle(task.failure(), task.failedTask());
        context.cancel(timer);
      }
    }

    private void tooLate() {
      if (!isDone()) {
        // A timer that was cancelled did not fire: the flow was.
        Failure cancelled = timer.failure();
        settle(
            cancelled == null ? Failure.of(Failure.TIMEOUT, "not done within " + limit) : cancelled,
            timer.number);
        task.cancel();
      }
    }

    @Override
    T result() {
      return task.result();
    }

    @Override
    public void cancel() {
      task.cancel();
    }
  }

  /** A task with something else in place of a result that came too late. */
  static final class OrElse<T> extends FlowTask<T> {
    private final FlowTask<T> task;
    private final T other;

    OrElse(Context context, FlowTask<T> task, T other) {
      super(context);
      this.task = task;
      this.other = other;
      task.whenDone(() -> settle(isLate() ? null : task.failure(), task.failedTask()));
    }

    private boolean isLate() {
      Failure failure = task.failure();
      return failure != null && failure.type().equals(Failure.TIMEOUT);
    }

    @Override
    T result() {
      return isLate() ? other : task.result();
    }

    @Override
    public void cancel() {
      task.cancel();
    }
  }

  /** A task whose result is made into another one. */
  static final class Mapped<T, R> extends FlowTask<R> {
    private final FlowTask<T> task;
    private final Function<? super T, ? extends R> mapping;
    private @Nullable R mapped;
    private boolean computed;

    Mapped(Context context, FlowTask<T> task, Function<? super T, ? extends R> mapping) {
      super(context);
      this.task = task;
      this.mapping = mapping;
      task.whenDone(() -> settle(task.failure(), task.failedTask()));
    }

    @Override
    @SuppressWarnings("NullAway")
    R result() {
      if (!computed) {
        mapped = mapping.apply(task.result());
        computed = true;
      }
      return mapped;
    }

    @Override
    public void cancel() {
      task.cancel();
    }
  }
}
