package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.RequestRound;
import io.holdfast.api.StaleReads;
import io.holdfast.api.TimeSource;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.Orderer.OrderedTasks;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.command.UnknownFormatException;
import io.holdfast.engine.logic.ShardState;
import io.holdfast.engine.query.ShardView;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of a store: it orders commands, lets the rules apply them, and answers when they
 * are as durable as promised.
 *
 * <pre>
 *   mailbox -> [apply thread: Orderer, Applier, batch N+1] -> [write thread: batch N, fsync, answers]
 * </pre>
 *
 * While a large batch is written the next one is applied; a small one is written by the apply
 * thread itself. A batch is whatever waited meanwhile. An unexpected error stops the shard: nothing
 * is answered with success after it.
 *
 * <p>Thread: any may submit; the state belongs to the apply thread alone.
 */
final class Shard implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Shard.class);

  /**
   * A batch with at most this many tasks is written by the apply thread itself: to hand it over
   * takes longer than to apply what comes meanwhile. Measured with single pushes of 1, 16 and 256
   * callers: 1.36, 1.07 and 1.19 times the rate of handing every batch over.
   */
  private static final int WRITE_HERE_MAX = 16;

  /** A thread that runs the shard for its own command runs it for so many batches at most. */
  private static final int BATCHES_HERE_MAX = 3;

  private final Store store;
  private final StampClock clock;
  private final Mailbox mailbox;
  private final Orderer orderer;
  private final Applier applier;
  private final Listener listener;
  private final BatchWriter writer;
  private final Ticker ticker;

  /** How it follows the log of a cluster; null on a node of its own. */
  private final @Nullable Replication replication;

  private final Thread thread;

  /**
   * The thread that runs the shard, which alone touches the state: the apply thread, or one that
   * submitted a command while no thread ran it; null if none does.
   */
  private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();

  /** Whether an event loop will run the shard, or wake it, at the end of its round. */
  private final AtomicBoolean runAtEnd = new AtomicBoolean();

  /** What that thread took and has not handed on: refused if applying fails. */
  private List<Task> inHand = List.of();

  private volatile boolean idle;
  private volatile boolean closing;
  private volatile Reply.@Nullable Refused stopped;
  private volatile @Nullable String failure;
  private volatile long nextDueMs;
  private volatile LogPosition stored;
  private volatile long storedMs;

  /** What happens outside of the shard when it changes. */
  interface Listener {
    /** Calls that wait have to ask again. */
    default void wakeWaiting() {}

    /** The store was replaced; called on the apply thread. */
    default void replaced() {}

    /** It leads the cluster and takes calls; called on the apply thread. */
    default void leads() {}
  }

  /**
   * @param effects runs effects, once they are durable
   * @param log the log of a cluster that orders its entries; null if it orders them itself
   */
  Shard(
      Store store,
      EngineConfig config,
      TimeSource time,
      Consumer<List<Effect>> effects,
      Listener listener,
      @Nullable EntryLog log) {
    this.store = store;
    this.listener = listener;
    this.writer = new BatchWriter(this);
    this.applier =
        new Applier(
            store,
            config.tailCacheBytes(),
            log == null ? config.durability() : Durability.OS,
            effects,
            writer::awaitIdle,
            FormatLevels.KNOWN,
            log != null);
    ShardState state = applier.state();
    this.stored = state.position();
    this.storedMs = state.lastMs();
    this.replication = log == null ? null : new Replication(this, log);
    this.nextDueMs = replication == null ? state.nextDueMs() : Long.MAX_VALUE;
    this.clock = new StampClock(time, state.lastMs());
    warnOfClock();
    this.mailbox = new Mailbox(config.mailboxMax(), config.mailboxBytesMax());
    this.orderer = new Orderer(mailbox, clock, () -> applier.state().format());
    this.ticker = new Ticker(this, clock, time);
    this.thread = Thread.ofPlatform().name("holdfast-apply").unstarted(this::run);
  }

  private void warnOfClock() {
    long aheadMs = clock.aheadMs();
    if (aheadMs < ClockRepair.AHEAD_MS_MIN) {
      return;
    }
    long nowMs = clock.nowMs();
    LOG.warn(
        "The system clock says {}, but the broker has already used times up to {}, which is {}"
            + " later. The broker's time never goes back: it continues from there, a little slower"
            + " than real time. If the system clock is wrong now, correct it. If it was wrong"
            + " before, stop the broker and run holdfast repair-clock.",
        Instant.ofEpochMilli(nowMs - aheadMs),
        Instant.ofEpochMilli(nowMs),
        Duration.ofSeconds(aheadMs / 1000));
  }

  /** How far the time of stamps is ahead of the wall clock; negative if it is behind. */
  long clockAheadMs() {
    return clock.aheadMs();
  }

  /** How it follows the log of a cluster. */
  Replica replica() {
    if (replication == null) {
      throw new IllegalStateException("this broker is no node of a cluster");
    }
    return replication;
  }

  /** The limits that the rules apply; on the apply thread, or before it is started. */
  ShardLimits limits() {
    return applier.state().limits();
  }

  /** The queues that keep only sealed payloads; on the apply thread, or before it is started. */
  Set<String> sealedQueues() {
    return applier.state().sealedQueues();
  }

  void start() {
    writer.start();
    thread.start();
    ticker.start();
  }

  /** Hands a command to the shard and waits until its answer is durable. */
  Reply apply(Command command) {
    Pending<Reply> answer = new Pending<>();
    submit(command, answer);
    return answer.await();
  }

  /**
   * Hands a command to the shard, and runs the shard on this thread if nobody else does: at the end
   * of the round if the thread has rounds. The answer is given when it is durable, on this thread
   * or another one.
   */
  void submit(Command command, Pending<Reply> answer) {
    if (!admit(Task.Apply.of(command, answer))) {
      return;
    }
    Executor end = RequestRound.end();
    if (end == null) {
      runHereOrWake();
    } else if (runner.get() != null) {
      wake();
    } else if (runAtEnd.compareAndSet(false, true)) {
      end.execute(this::endRound);
    }
  }

  private void endRound() {
    runAtEnd.set(false);
    runHereOrWake();
  }

  private void runHereOrWake() {
    if (!runHere()) {
      wake();
    }
  }

  /** The same on a thread that has other things to do than to run the shard. */
  void submitLater(Command command, Pending<Reply> answer) {
    submit(Task.Apply.of(command, answer));
  }

  /** The same for a further step of what has begun: it is taken in whether there is room or not. */
  Reply continueWith(Command command) {
    Pending<Reply> answer = new Pending<>();
    continueWith(command, answer);
    return answer.await();
  }

  /** The same without waiting for the answer. */
  void continueWith(Command command, Pending<Reply> answer) {
    add(Task.Apply.of(command, answer));
  }

  /**
   * Looks at the state, after all that was submitted before; the answer shows only what is durable.
   * A caller that takes stale answers looks at the state of this node.
   */
  <T> Task.Answer<T> look(Function<ShardView, T> question) {
    if (replication != null && StaleReads.areWanted()) {
      return lookHere(question);
    }
    Task.Look<T> task = new Task.Look<>(question, new Pending<>());
    submit(task);
    return task.answer().await();
  }

  /**
   * Replaces the store by a checkpoint, after all that was submitted before; what is submitted
   * later is applied to the new rows.
   *
   * @param position the position that the checkpoint contains
   * @return why it was refused and nothing has changed; empty if the store was replaced
   */
  Task.Answer<Optional<StoreException>> replaceWith(Path checkpoint, LogPosition position) {
    Task.Replace task = new Task.Replace(checkpoint, position, new Pending<>());
    add(task);
    return task.answer().await();
  }

  private void submit(Task task) {
    if (admit(task)) {
      wake();
    }
  }

  /**
   * Looks at the state as this node has it, whether it leads or not: other nodes may have changed
   * it since.
   */
  <T> Task.Answer<T> lookHere(Function<ShardView, T> question) {
    if (replication == null) {
      return look(question);
    }
    Task.Look<T> task = new Task.Look<>(question, new Pending<>());
    replication.lookHere(task);
    return task.answer().await();
  }

  /**
   * Makes sure that reads of the store which follow see all that was answered before, on any node.
   *
   * @return why nothing can be read; null if it can
   */
  Reply.@Nullable Refused awaitReadable() {
    return replication != null && look(view -> true) instanceof Task.Answer.No<Boolean> no
        ? no.refusal()
        : null;
  }

  /** The same without waiting. */
  void whenReadable(Consumer<Reply.@Nullable Refused> then) {
    if (replication == null || StaleReads.areWanted()) {
      then.accept(null);
      return;
    }
    submit(
        new Task.Look<>(
            view -> true,
            new Pending<>(
                answer ->
                    then.accept(
                        answer instanceof Task.Answer.No<Boolean> no ? no.refusal() : null))));
  }

  /** Why no call is taken; null if they are. */
  private Reply.@Nullable Refused refusal() {
    Reply.Refused refusal = stopped;
    return refusal == null && replication != null ? replication.refusal() : refusal;
  }

  /** Puts a task into the mailbox if there is room; otherwise it is refused. */
  private boolean admit(Task task) {
    Reply.Refused refusal = refusal();
    if (refusal != null) {
      task.stop(refusal);
      return false;
    }
    if (!mailbox.offer(task)) {
      task.stop(
          refused(ErrorCode.OVERLOADED, "the broker has too much waiting; try again shortly"));
      return false;
    }
    return isOpen();
  }

  /** Puts a task into the mailbox, room or not. */
  private void add(Task task) {
    Reply.Refused refusal = task instanceof Task.Replace ? stopped : refusal();
    if (refusal != null) {
      task.stop(refusal);
      return;
    }
    mailbox.add(task);
    if (isOpen()) {
      wake();
    }
  }

  /** Whether the shard runs; otherwise what waits is refused, also what came meanwhile. */
  private boolean isOpen() {
    Reply.Refused refusal = stopped;
    if (refusal != null) {
      drain(refusal);
    }
    return refusal == null;
  }

  /** Lets time pass; the answer does not matter. */
  Pending<Reply> tick(boolean sweep) {
    Task.Apply task = Task.Apply.of(new Command.Tick(sweep ? SweepFrom.START : null));
    if (closing) {
      task.stop(refused(ErrorCode.CLOSED, "the broker is closed"));
    } else {
      add(task);
    }
    return task.answer();
  }

  /** Wakes the apply thread, unless another thread runs the shard and will look at the mailbox. */
  void wake() {
    Thread running = runner.get();
    if (idle && (running == null || running.equals(thread))) {
      LockSupport.unpark(thread);
    }
  }

  /** Runs the shard on this thread; false if another thread does, or there is much to do. */
  private boolean runHere() {
    Thread here = Thread.currentThread();
    if (replication != null
        || here.isVirtual()
        || !isLittle()
        || !runner.compareAndSet(null, here)) {
      return false;
    }
    try {
      for (int batch = 0; batch < BATCHES_HERE_MAX && isLittle() && !mailbox.isEmpty(); batch++) {
        runBatch();
      }
    } catch (Throwable error) {
      failed(error);
    } finally {
      release();
    }
    return true;
  }

  /** Whether what waits can be applied and written by whoever submitted it. */
  private boolean isLittle() {
    return mailbox.depth() <= WRITE_HERE_MAX
        && !mailbox.hasReplacementNext()
        && writer.isIdle()
        && stopped == null;
  }

  /** Lets another thread run the shard; the apply thread if there is something to do. */
  private void release() {
    runner.set(null);
    if (hasWork() || closing || stopped != null) {
      LockSupport.unpark(thread);
    }
  }

  /** The time of stamps, now. */
  long nowMs() {
    return clock.nowMs();
  }

  /** Why nothing is done any more; null while the shard runs. */
  Reply.@Nullable Refused stopped() {
    return stopped;
  }

  /** Why it stopped by itself, also after it was closed; null if it did not. */
  @Nullable String failure() {
    return failure;
  }

  long nextDueMs() {
    return nextDueMs;
  }

  int mailboxDepth() {
    return mailbox.depth();
  }

  BatchWriter writer() {
    return writer;
  }

  private void run() {
    try {
      while (awaitTasks()) {
        Task.Replace replacement = mailbox.pollReplacement();
        if (replacement == null) {
          runBatch();
        } else {
          replace(replacement);
        }
      }
    } catch (Throwable error) {
      failed(error);
    }
  }

  /** Applies what waits, and has it written; on the thread that runs the shard. */
  private void runBatch() {
    Batch batch = fill();
    noteNextDue();
    ticker.hurry();
    inHand = List.of();
    if (batch.tasks().size() <= WRITE_HERE_MAX || !thread.equals(Thread.currentThread())) {
      writer.writeHere(batch);
    } else {
      writer.hand(batch);
    }
  }

  private void failed(Throwable error) {
    Reply.Refused refusal = fail("apply a command", error);
    inHand.forEach(task -> task.stop(refusal));
    if (replication != null) {
      replication.refuseOrdering(refusal);
    }
  }

  /** It leads the cluster from here on. */
  void leads() {
    listener.leads();
  }

  /** It leads no more: calls that wait ask again, and are refused. */
  void stopWaiting() {
    listener.wakeWaiting();
  }

  /** The position of the last entry whose rows are stored. */
  LogPosition stored() {
    return stored;
  }

  /** The time of the last command whose rows are stored. */
  long storedMs() {
    return storedMs;
  }

  /** Writes what is stored to the disk; answers up to which position that is. */
  LogPosition flush() {
    LogPosition position = stored;
    store.flush();
    return position;
  }

  private void noteNextDue() {
    if (replication != null && !replication.isLeading()) {
      nextDueMs = Long.MAX_VALUE;
      return;
    }
    nextDueMs = Math.max(applier.state().nextDueMs(), applier.state().lastMs());
  }

  private void replace(Task.Replace task) {
    writer.awaitIdle();
    Reply.Refused refusal = stopped;
    if (refusal != null) {
      task.stop(refusal);
      return;
    }
    try {
      StoreException refused = applier.replaceWith(task.checkpoint(), task.position());
      if (refused == null) {
        clock.raise(applier.state().lastMs());
        warnOfClock();
        noteNextDue();
        ticker.hurry();
        stored = applier.state().position();
        storedMs = applier.state().lastMs();
        listener.replaced();
      }
      task.answer().complete(new Task.Answer.Yes<>(Optional.ofNullable(refused)));
    } catch (Throwable error) {
      task.stop(fail("replace its data by a checkpoint", error));
    }
  }

  /**
   * Waits for tasks, and until no other thread runs the shard; false once the shard is closing and
   * none waits.
   */
  private boolean awaitTasks() {
    while (true) {
      Reply.Refused refusal = stopped;
      if (refusal != null) {
        drain(refusal);
        return false;
      }
      if ((hasWork() || closing) && isMine()) {
        return hasWork();
      }
      runner.compareAndSet(thread, null);
      idle = true;
      if (stopped == null && (runner.get() != null || (!hasWork() && !closing))) {
        LockSupport.park(this);
      }
      idle = false;
    }
  }

  private boolean hasWork() {
    return replication == null ? !mailbox.isEmpty() : replication.hasWork(mailbox);
  }

  /** Whether the apply thread runs the shard, now at the latest. */
  private boolean isMine() {
    return thread.equals(runner.get()) || runner.compareAndSet(null, thread);
  }

  /** Applies what waits to one batch. */
  private Batch fill() {
    Batch batch = applier.begin();
    inHand = batch.tasks();
    if (replication == null) {
      fillFromMailbox(batch);
    } else {
      replication.propose(orderer, mailbox, applier, batch, clock);
      replication.apply(applier, batch, clock);
    }
    applier.finish(batch);
    return batch;
  }

  /** Applies what waits, and what comes while the writer is busy. */
  private void fillFromMailbox(Batch batch) {
    while (!batch.isFull()) {
      OrderedTasks next =
          orderer.next(
              true,
              (task, encrypting) -> {
                // First, so that it is refused if the shard stops.
                batch.add(task);
                return applier.screen(task, encrypting, batch, clock::nowMs);
              });
      if (next != null) {
        applier.apply(next, batch, clock.nowMs());
      } else if (writer.isIdle() || stopped != null || mailbox.hasReplacementNext()) {
        break;
      } else {
        idle = true;
        if (mailbox.isEmpty() && !writer.isIdle() && stopped == null) {
          LockSupport.park(this);
        }
        idle = false;
      }
    }
  }

  /** Writes a batch; on the write thread. */
  void write(Batch batch) {
    store.write(batch.tx, batch.sync);
    stored = batch.end;
    storedMs = batch.endMs;
  }

  /** Stops the shard after an error: from now on everything is refused, and this is how. */
  synchronized Reply.Refused fail(String doing, Throwable error) {
    Reply.Refused earlier = stopped;
    if (earlier != null) {
      return earlier;
    }
    LOG.error("The broker stops: it failed to {}. Nothing after it is acknowledged.", doing, error);
    Reply.Refused refusal =
        refused(
            ErrorCode.SHARD_STOPPED,
            "the broker stopped when it failed to "
                + doing
                + ": "
                + error.getMessage()
                + (error instanceof UnknownFormatException
                    ? ""
                    : ". Find the cause in its log, then start it again: it recovers."));
    failure = refusal.refusal().detail();
    stop(refusal);
    try {
      listener.wakeWaiting();
    } catch (Throwable alsoFailed) {
      LOG.error("Calls that wait could not be woken.", alsoFailed);
    }
    return refusal;
  }

  private void stop(Reply.Refused refusal) {
    stopped = refusal;
    drain(refusal);
    writer.stop(refusal);
    if (replication != null) {
      replication.stop();
    }
    LockSupport.unpark(thread);
  }

  private void drain(Reply.Refused refusal) {
    Task task;
    while ((task = mailbox.take()) != null) {
      task.stop(refusal);
    }
  }

  private static Reply.Refused refused(ErrorCode code, String detail) {
    return new Reply.Refused(Refusal.of(code, detail));
  }

  /** Applies and writes what waits, then stops. */
  @Override
  public void close() {
    if (replication != null) {
      replication.close();
    }
    ticker.close();
    closing = true;
    LockSupport.unpark(thread);
    join(thread);
    writer.close();
    stop(refused(ErrorCode.CLOSED, "the broker is closed"));
  }

  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
