package io.holdfast.workflow.worker;

import io.holdfast.api.TimerThread;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.wire.WireException;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.Payloads;
import io.holdfast.workflow.Work;
import io.holdfast.workflow.message.Forms;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.message.WorkOrder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of an activity. Its result and the ack of its message are stored in one commit, for
 * which its slot does not wait.
 *
 * <p>Thread: that of its slot; {@link #cancel}, {@link #leaseLost} and {@link #giveBack} any.
 */
final class Attempt implements Work, Room.Job {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

  /** How long code may take to end after it was interrupted. */
  private static final long STOP_MS_MAX = 5_000;

  /** Why an attempt is interrupted. */
  private enum Stop {
    CANCELLED,
    LEASE_LOST,
    TIMEOUT,
    GIVEN_BACK
  }

  private final Tools tools;
  private final Results results;
  private final TimerThread timer;
  private final Delivery delivery;
  private final Handle handle;
  private Runnable then = () -> {};
  private Runnable whenStuck = () -> {};
  private @Nullable WorkOrder order;
  private @Nullable Thread thread;
  private boolean inCode;
  private boolean stuck;
  private volatile @Nullable Stop stop;

  Attempt(Tools tools, Results results, TimerThread timer, Delivery delivery) {
    this.tools = tools;
    this.results = results;
    this.timer = timer;
    this.delivery = delivery;
    this.handle = delivery.handle();
  }

  /**
   * Has somebody told when all is over, perhaps twice, and if its code does not end although it was
   * interrupted. Before it is run.
   */
  void then(Runnable told, Runnable toldStuck) {
    then = told;
    whenStuck = toldStuck;
  }

  @Override
  public long run() {
    try {
      return ordered();
    } catch (RuntimeException | Error trouble) {
      LOG.warn("An activity was given back, and will come again.", trouble);
      settle(Settle.release(handle).delayMs(delayMs()));
      return -1;
    }
  }

  @Override
  public void tooLate() {
    settle(Settle.release(handle));
  }

  private long ordered() {
    WorkOrder mine;
    try {
      mine = Forms.WORK.read(delivery.message().payload());
    } catch (WireException e) {
      settle(Settle.kill(handle, "not an order for work: " + e.getMessage()));
      return -1;
    }
    order = mine;
    if (delivery.expiries() >= tools.config().poisonAfter()) {
      answer(
          new TurnMessage.Poison(
              mine.executionId(), mine.task(), mine.activity(), delivery.expiries()),
          () -> {});
      return -1;
    }
    Activity<?, ?> activity = tools.registry().activity(mine.activity());
    if (activity == null) {
      LOG.warn("This worker has no code for activity {}; others may.", mine.activity());
      settle(Settle.release(handle).delayMs(delayMs()));
      return -1;
    }
    return done(mine, activity);
  }

  private long done(WorkOrder mine, Activity<?, ?> activity) {
    long begun = tools.config().time().nanos();
    byte[] result = null;
    Failure failure = null;
    try {
      result = result(mine, activity);
    } catch (OutOfMemoryError trouble) {
      throw trouble;
    } catch (Throwable thrown) {
      failure = Failure.of(thrown);
    }
    long took = tools.config().time().nanos() - begun;
    if (isStuck()) {
      LOG.info("Activity {} of flow {} ended after it was given up.", mine.activity(), mine.flow());
      return -1;
    }
    // Of a lost lease the broker decides: it takes a result only from the holder.
    boolean wanted = stop == null || stop == Stop.TIMEOUT || stop == Stop.LEASE_LOST;
    if (result == null || !wanted) {
      failed(mine, failure == null ? Failure.of(Failure.CANCELLED, "") : failure);
    } else {
      answer(
          new TurnMessage.Complete(mine.executionId(), mine.task(), result),
          () -> tools.listener().activityDone(mine.flow(), mine.activity(), took));
    }
    return took;
  }

  private byte[] result(WorkOrder mine, Activity<?, ?> activity) throws Exception {
    Object input = tools.config().payloads().read(mine.input(), activity.inputType());
    long timeoutMs = mine.retry().timeoutMs();
    TimerThread.ScheduledTask timeout =
        timeoutMs == 0
            ? null
            : timer.after(Duration.ofMillis(timeoutMs), () -> interrupt(Stop.TIMEOUT));
    Object output;
    enter();
    try {
      output = activity.run(this, input);
    } finally {
      leave();
      if (timeout != null) {
        timeout.cancel();
      }
    }
    byte[] result = tools.config().payloads().write(output);
    if (result.length > Payloads.BYTES_MAX) {
      throw new IllegalArgumentException(
          "result: expected at most " + Payloads.BYTES_MAX + " bytes, but got " + result.length);
    }
    return result;
  }

  private synchronized void enter() {
    thread = Thread.currentThread();
    inCode = true;
    if (stop != null) {
      interruptCode(thread);
    }
  }

  /** Interrupts the code; if it does not end then, it is given up. */
  private void interruptCode(Thread runs) {
    runs.interrupt();
    timer.after(
        Duration.ofMillis(STOP_MS_MAX),
        () -> Thread.ofVirtual().name("flow-stuck").start(this::giveUpIfStuck));
  }

  /** Frees the slot and the lease of code that runs on; what it returns later is ignored. */
  private void giveUpIfStuck() {
    synchronized (this) {
      if (!inCode || stuck) {
        return;
      }
      stuck = true;
    }
    LOG.error(
        "Activity {} of flow {} runs on {} ms after it was interrupted ({}); its result will be"
            + " ignored. Its code must end when its thread is interrupted.",
        activity(),
        flow(),
        STOP_MS_MAX,
        stop);
    whenStuck.run();
    failed(order(), Failure.of(Failure.CANCELLED, ""));
  }

  private synchronized boolean isStuck() {
    return stuck;
  }

  private synchronized void leave() {
    inCode = false;
    Thread.interrupted();
  }

  private void failed(WorkOrder mine, Failure thrown) {
    Failure failure = thrown;
    switch (stop) {
      case CANCELLED -> {
        tools.listener().activityCancelled(mine.flow(), mine.activity());
        settle(Settle.release(handle));
        return;
      }
      case LEASE_LOST -> {
        tools.listener().activityLeaseLost(mine.flow(), mine.activity());
        then.run();
        return;
      }
      case GIVEN_BACK -> {
        settle(Settle.release(handle));
        return;
      }
      case TIMEOUT ->
          failure =
              Failure.of(
                  Failure.TIMEOUT,
                  "an attempt took longer than " + mine.retry().timeoutMs() + " ms");
      case null -> {}
    }
    int failures = delivery.failures() + 1;
    boolean again =
        failures < mine.retry().attempts() && !mine.retry().unless().contains(failure.type());
    tools.listener().activityFailed(mine.flow(), mine.activity(), failure, again);
    if (again) {
      settle(Settle.nack(handle, failure.toString()).delayMs(mine.retry().waitMs(failures)));
    } else {
      answer(new TurnMessage.Fail(mine.executionId(), mine.task(), failure), () -> {});
    }
  }

  private void answer(TurnMessage message, Runnable stored) {
    results.answer(
        handle,
        flow(),
        message,
        delayMs(),
        () -> {
          try {
            stored.run();
          } finally {
            then.run();
          }
        });
  }

  private long delayMs() {
    return ReturnDelay.ms(delivery.attempt());
  }

  private void settle(Settle settle) {
    results.settle(settle, then);
  }

  /** Nobody wants the result any more. */
  void cancel() {
    interrupt(Stop.CANCELLED);
  }

  /** The lease ended: another worker has the activity now, or will have it. */
  void leaseLost() {
    interrupt(Stop.LEASE_LOST);
  }

  /** The worker stops: somebody else is to do it. */
  void giveBack() {
    interrupt(Stop.GIVEN_BACK);
  }

  private synchronized void interrupt(Stop why) {
    if (stop == null) {
      stop = why;
      Thread runs = thread;
      if (inCode && runs != null) {
        interruptCode(runs);
      }
    }
  }

  private WorkOrder order() {
    WorkOrder mine = order;
    if (mine == null) {
      throw new IllegalStateException("the order has not been read");
    }
    return mine;
  }

  @Override
  public String flow() {
    return order().flow();
  }

  @Override
  public String activity() {
    return order().activity();
  }

  @Override
  public int attempt() {
    return delivery.attempt();
  }

  @Override
  public String key() {
    return order().key();
  }

  @Override
  public boolean isCancelled() {
    return stop == Stop.CANCELLED;
  }

  @Override
  public boolean isLeaseLost() {
    return stop == Stop.LEASE_LOST;
  }
}
