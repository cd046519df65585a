package io.holdfast.client.tasks;

import io.holdfast.api.RefusedException;
import io.holdfast.api.TimeSource;
import io.holdfast.api.UnreachableException;
import io.holdfast.client.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that takes the tasks of a subscription, one by one, lets a handler do them and says what
 * became of them. The lease of a task is renewed while its handler runs.
 *
 * <p>While the broker does not answer it tries again, ever more slowly: for a task until someone
 * closes it, for an ack until the ack timeout has given the task away anyhow.
 */
final class TaskWorker {
  private static final Duration PAUSE_MIN = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMinutes(10);

  private final TaskSubscription subscription;
  private final TaskHandler handler;
  private final Wiring wiring;
  private final Thread thread;
  private final Object stopping = new Object();
  private boolean stopped;
  private boolean mayInterrupt;

  TaskWorker(Wiring wiring, TaskSubscription subscription, TaskHandler handler, int number) {
    this.wiring = wiring;
    this.subscription = subscription;
    this.handler = handler;
    String name = "holdfast-tasks-" + subscription.topic() + '-' + subscription.deviceId();
    this.thread = new Thread(this::run, name + '-' + number);
  }

  void start() {
    thread.start();
  }

  /** Interrupts the handler, or a pause; never an ack that is on its way. */
  void stop() {
    synchronized (stopping) {
      stopped = true;
      if (mayInterrupt) {
        thread.interrupt();
      }
    }
  }

  private void interruptHandler() {
    synchronized (stopping) {
      if (mayInterrupt) {
        thread.interrupt();
      }
    }
  }

  private void beginInterruptible() {
    synchronized (stopping) {
      mayInterrupt = true;
      if (stopped) {
        thread.interrupt();
      }
    }
  }

  private void endInterruptible() {
    synchronized (stopping) {
      mayInterrupt = false;
      Thread.interrupted();
    }
  }

  /** Waits for the thread to end, until a time of the system's clock; whether it has. */
  boolean await(long deadlineNanos) {
    if (thread.equals(Thread.currentThread())) {
      return true;
    }
    boolean interrupted = false;
    long left = deadlineNanos - System.nanoTime();
    while (left > 0 && thread.isAlive()) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, left);
      } catch (InterruptedException later) {
        interrupted = true;
      }
      left = deadlineNanos - System.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  private void run() {
    Backoff backoff = new Backoff(PAUSE_MIN, PAUSE_MAX);
    while (!subscription.isClosed()) {
      try {
        Optional<ReceivedTask> task = subscription.next(POLL);
        backoff.reset();
        task.ifPresent(this::handle);
      } catch (InterruptedException stray) {
        // Only a close may end this, and that has its own sign.
        wiring.log().stray(thread.getName());
      } catch (RuntimeException noAnswer) {
        // Whatever it was, the next tasks may fare better.
        wiring.log().cannot("Taking a task", subscription.topic(), noAnswer);
        pause(backoff.next());
      }
    }
  }

  /** Waits, unless this is closed. */
  private void pause(Duration wait) {
    TimeSource time = wiring.time();
    long deadline = time.nanos() + wait.toNanos();
    beginInterruptible();
    while (!thread.isInterrupted() && time.nanos() - deadline < 0) {
      time.parkUntil(deadline);
    }
    endInterruptible();
  }

  private void handle(ReceivedTask task) {
    AckVerdict begun = insist("Running", task, task::running);
    if (begun != AckVerdict.APPLIED && begun != AckVerdict.REPEATED) {
      return;
    }
    TaskLease lease = new TaskLease(wiring, task.hold(), this::interruptHandler);
    wiring.renewals().begin(lease);
    beginInterruptible();
    Throwable failure = null;
    try {
      handler.handle(task);
    } catch (Throwable thrown) {
      failure = thrown;
    } finally {
      endInterruptible();
      lease.end();
      wiring.renewals().endUnlessWanted(lease);
    }
    if (failure == null) {
      // The work is done: that is said even by one who was told to stop.
      insist("Complete", task, task::complete);
    } else {
      ended(task, failure);
    }
  }

  private void ended(ReceivedTask task, Throwable failure) {
    wiring.log().handlerFailed(task.task(), failure);
    boolean closing = subscription.isClosed();
    if (closing
        || failure instanceof InterruptedException
        || failure instanceof CancellationException) {
      // A handler that cancels itself again and again must not go round without a pause.
      Duration delay = closing ? Duration.ZERO : wiring.config().retry().initialBackoff();
      insist("Release", task, () -> released(task, delay));
    } else {
      insist("Failed", task, () -> task.failed(failure.toString()));
    }
  }

  private static AckVerdict released(ReceivedTask task, Duration delay) {
    return task.release(delay) ? AckVerdict.APPLIED : AckVerdict.IGNORED;
  }

  /** Sends until the broker answers; null if it did not in time. */
  private @Nullable AckVerdict insist(String what, ReceivedTask task, Supplier<AckVerdict> ack) {
    Backoff backoff = new Backoff(PAUSE_MIN, PAUSE_MAX);
    while (true) {
      try {
        return ack.get();
      } catch (UnreachableException | RefusedException noAnswer) {
        if (subscription.isClosed() || !task.isInTime()) {
          wiring.log().gaveUp(what, task.task(), noAnswer);
          return null;
        }
        pause(backoff.next());
      }
    }
  }
}
