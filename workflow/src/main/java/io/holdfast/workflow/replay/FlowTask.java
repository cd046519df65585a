package io.holdfast.workflow.replay;

import io.holdfast.workflow.Failure;
import io.holdfast.workflow.Task;
import io.holdfast.workflow.TaskFailed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A task of a flow: open, then done or failed, once.
 *
 * <p>Thread: the flow's own.
 */
abstract class FlowTask<T> implements Task<T> {
  final Context context;
  private List<Runnable> listeners = new ArrayList<>(1);
  private boolean done;
  private @Nullable Failure failure;
  private long failedTask = -1;

  FlowTask(Context context) {
    this.context = context;
  }

  /** The result of a task that is done and has not failed. */
  abstract T result();

  final void settle(@Nullable Failure why, long task) {
    if (done) {
      return;
    }
    done = true;
    failure = why;
    failedTask = task;
    List<Runnable> told = listeners;
    listeners = List.of();
    told.forEach(Runnable::run);
  }

  /** Has something done when it ends: at once if it has. */
  final void whenDone(Runnable listener) {
    if (done) {
      listener.run();
    } else {
      listeners.add(listener);
    }
  }

  final @Nullable Failure failure() {
    return failure;
  }

  final long failedTask() {
    return failedTask;
  }

  @Override
  public final boolean isDone() {
    return done;
  }

  @Override
  public final T await() {
    context.await(this);
    if (failure != null) {
      throw new TaskFailed(failure, failedTask);
    }
    return result();
  }

  @Override
  public final Task<T> within(Duration limit) {
    context.check();
    return new Derived.Within<>(context, this, limit);
  }

  @Override
  public final Task<T> orElse(T other) {
    context.check();
    return new Derived.OrElse<>(context, this, other);
  }

  @Override
  public final <R> Task<R> map(Function<? super T, ? extends R> mapping) {
    context.check();
    return new Derived.Mapped<>(context, this, mapping);
  }
}
