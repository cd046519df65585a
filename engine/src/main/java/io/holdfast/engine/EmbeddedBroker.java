package io.holdfast.engine;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Page;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.api.TimeSource;
import io.holdfast.api.TimerThread;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.OpenedSession;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.dead.DeadErrors;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.HeldLease;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Moved;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.LoadsRequest;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Sealer;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.query.Explain;
import io.holdfast.engine.query.Looks;
import io.holdfast.engine.query.ShardView;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.ReplaceableStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker in this process, over a data directory of its own.
 *
 * <p>Thread: any; every call blocks until its answer is durable.
 */
public final class EmbeddedBroker implements Broker {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);

  private final EngineConfig config;
  private final Store store;
  private final Waiters waiters;
  private final TimerThread timer;
  private final StoreWork work;
  private final CheckpointWork checkpoints;
  private final Reclaimer reclaimer;
  private final Shard shard;
  private final Limiter limiter;
  private final LongPoll.Shared polls;
  private final SealedPops sealedPops;
  private final Lists lists;
  private final Seals seals;
  private final Bulk bulk;
  private final long openedMs;
  private volatile boolean closed;

  private EmbeddedBroker(
      EngineConfig config, TimeSource time, Store store, @Nullable EntryLog log) {
    this.config = config;
    this.store = store;
    this.waiters = new Waiters(config.parkedMax());
    this.timer =
        new TimerThread(
            time, "holdfast-wait", failure -> LOG.error("A call that waits failed.", failure));
    this.work = new StoreWork(store);
    this.reclaimer = new Reclaimer(store, work.compactions);
    this.shard = new Shard(store, config, time, this::run, new Changes(), log);
    this.checkpoints = new CheckpointWork(store, work.checkpoints, shard);
    this.limiter = new Limiter(config);
    this.seals = new Seals(config.keys(), shard);
    this.polls = new LongPoll.Shared(waiters, timer, time);
    this.sealedPops = new SealedPops(config.keys(), shard);
    this.lists = new Lists(shard, work, seals);
    this.bulk = new Bulk(shard);
    this.openedMs = time.wallMs();
    ShardLimits limits = limits(config);
    boolean sets = log == null && !limits.equals(shard.limits());
    shard.start();
    if (sets && shard.apply(new Command.SetLimits(limits)) instanceof Reply.Refused refused) {
      shard.close();
      throw new StoreException(refused.refusal().detail(), null);
    }
  }

  private static ShardLimits limits(EngineConfig config) {
    return ShardLimits.of(
        config.queuesMax(), config.partitionsMax(), config.groupsMax(), config.retainedBytesMax());
  }

  /** What follows from changes of the shard. */
  private final class Changes implements Shard.Listener {
    @Override
    public void wakeWaiting() {
      waiters.wakeEverybody();
    }

    /** Calls that wait ask again: the new rows may have what they wait for. */
    @Override
    public void replaced() {
      seals.renew();
      waiters.wakeEverybody();
    }

    /** The limits of a cluster are those of the configuration of its leader. */
    @Override
    public void leads() {
      ShardLimits limits = limits(config);
      if (!limits.equals(shard.limits())) {
        shard.submitLater(new Command.SetLimits(limits), new Pending<>(reply -> {}));
      }
    }
  }

  private void run(List<Effect> effects) {
    waiters.run(effects);
    seals.run(effects);
    reclaimer.run(effects);
  }

  /**
   * Opens a data directory, or makes it.
   *
   * @throws StoreException if it is open already, damaged, or of a format that this version does
   *     not know
   */
  public static EmbeddedBroker open(EngineConfig config) {
    return open(config, TimeSource.SYSTEM);
  }

  /**
   * Opens a data directory for a process that runs for long: it takes some tens of milliseconds
   * more, and answers are quicker from the first on.
   */
  public static EmbeddedBroker openForServer(EngineConfig config) {
    return open(config, TimeSource.SYSTEM, RocksTuning.SERVER);
  }

  /** Opens a data directory under another clock, for tests. */
  public static EmbeddedBroker open(EngineConfig config, TimeSource time) {
    return open(config, time, RocksTuning.MODEST);
  }

  private static EmbeddedBroker open(EngineConfig config, TimeSource time, RocksTuning tuning) {
    return open(config, time, openStore(config, tuning));
  }

  private static Store openStore(EngineConfig config, RocksTuning tuning) {
    Path directory = config.directory();
    return directory == null ? new MemoryStore() : ReplaceableStore.open(directory, tuning);
  }

  /**
   * Opens a store that the caller made, and closes it with the broker. Tests restart a broker by
   * opening {@link MemoryStore#reopen()}.
   */
  public static EmbeddedBroker open(EngineConfig config, TimeSource time, Store store) {
    return open(config, time, store, null);
  }

  /**
   * Opens a node of a cluster: its entries are ordered by a log that several nodes share. It takes
   * calls while it leads; otherwise they are refused with {@link ErrorCode#NOT_LEADER}. Its data
   * directory has no log of its own: after a crash, the log of the cluster has what is missing.
   *
   * @param store where the data lives, for tests; null for the directory of the configuration
   */
  public static EmbeddedBroker openReplica(
      EngineConfig config, TimeSource time, @Nullable Store store, EntryLog log) {
    return open(config, time, store == null ? openStore(config, RocksTuning.REPLICA) : store, log);
  }

  private static EmbeddedBroker open(
      EngineConfig config, TimeSource time, Store store, @Nullable EntryLog log) {
    try {
      return new EmbeddedBroker(config, time, store, log);
    } catch (RuntimeException unreadable) {
      store.close();
      throw unreadable;
    }
  }

  /**
   * The side of a node of a cluster that follows the log.
   *
   * @throws IllegalStateException if it was not opened as one
   */
  public Replica replica() {
    return shard.replica();
  }

  /**
   * Copies the data into a new directory, consistently, while the broker runs. The copy would
   * survive a power cut when this returns.
   *
   * @return the position of the last entry of the log that the copy contains
   * @throws StoreException if it cannot be copied there
   */
  public LogPosition checkpoint(Path directory) {
    return checkpoints.make(directory);
  }

  /**
   * Replaces all data by a checkpoint, while the broker runs. The checkpoint must come from a
   * broker that has applied the same log, and be on the file system of the data; it is moved there.
   *
   * <p>All that was submitted before is done and answered first; what comes later is applied to the
   * new data. Reads under way end first, and calls that wait ask again.
   *
   * @return the position of the last entry of the log that the broker then contains
   * @throws StoreException if the checkpoint is damaged, of another format, or contains less of the
   *     log than the broker has applied, or if reads under way do not end; then nothing has changed
   */
  public LogPosition replaceWith(Path checkpoint) {
    return checkpoints.replaceWith(checkpoint);
  }

  /**
   * Why the broker stopped by itself, or could not close its data properly; null if it did neither.
   * Whatever it says, all that was acknowledged is stored.
   */
  public @Nullable String failure() {
    String stopped = shard.failure();
    StoreException unstored = store.failure();
    return stopped != null || unstored == null ? stopped : unstored.getMessage();
  }

  /**
   * Raises the format level of the data, after which versions that do not know it cannot open them.
   * Answers the level.
   */
  public Result<Integer> raiseFormat(int level) {
    if (level > FormatLevels.KNOWN.newest()) {
      return Result.refused(
          ErrorCode.UNSUPPORTED, FormatLevels.KNOWN.explain("The request", level));
    }
    return ask(new Command.RaiseFormat(level), Reply.RaisedFormat.class, Reply.RaisedFormat::level);
  }

  /** How much disk the data takes. */
  public long diskBytes() {
    return store.diskBytes();
  }

  /**
   * When something next happens with time alone, by the clock of the broker: a message becomes
   * visible or may be tried again, a lease ends. For tests that move time.
   *
   * <p>All that was asked before is done by then. The time may be too early, never too late; {@link
   * Long#MAX_VALUE} if nothing is due.
   */
  public long dueMs() {
    return look(Looks::dueMs, "").orThrow();
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    Refusal refusal = limiter.refusal(request.messages());
    if (refusal != null) {
      return Result.refused(refusal);
    }
    if (request.messages().isEmpty()) {
      return Result.ok(new Pushed(List.of()));
    }
    return pushed(seals.ask(sealer -> command(request, sealer)));
  }

  private static Command command(PushRequest request, Sealer sealer) {
    return new Command.PushMessages(
        Packed.of(request.messages(), sealer),
        request.messages().size(),
        request.requestId(),
        request.number());
  }

  private static Result<Pushed> pushed(Reply reply) {
    return Answers.of(reply, Reply.PushedMessages.class, Answers::pushed);
  }

  /** Payloads that are to be encrypted take a virtual thread. */
  @Override
  public AsyncResult<Pushed> pushAsync(PushRequest request) {
    Refusal refusal = limiter.refusal(request.messages());
    if (refusal != null) {
      return AsyncResult.of(Result.refused(refusal));
    }
    if (request.messages().isEmpty()) {
      return AsyncResult.of(Result.ok(new Pushed(List.of())));
    }
    if (request.messages().stream().anyMatch(message -> seals.isSealed(message.queue()))) {
      return onVirtualThread(() -> push(request));
    }
    return submit(command(request, Sealer.NONE), EmbeddedBroker::pushed, () -> push(request));
  }

  /** Submits a command; if its payloads have to be encrypted, the blocking call does that. */
  private <T> AsyncResult<T> submit(
      Command command, Function<Reply, Result<T>> answer, Supplier<Result<T>> encrypting) {
    AsyncResult<T> result = new AsyncResult<>();
    shard.submit(
        command,
        new Pending<>(
            reply -> {
              if (reply instanceof Reply.Unsealed) {
                answerLater(result, encrypting);
              } else {
                answer(result, () -> answer.apply(reply));
              }
            }));
    return result;
  }

  private static <T> AsyncResult<T> onVirtualThread(Supplier<Result<T>> call) {
    AsyncResult<T> result = new AsyncResult<>();
    answerLater(result, call);
    return result;
  }

  private static <T> void answerLater(AsyncResult<T> result, Supplier<Result<T>> call) {
    Thread.startVirtualThread(() -> answer(result, call));
  }

  /** Nothing is thrown here: the thread may be that of the shard. */
  private static <T> void answer(AsyncResult<T> result, Supplier<Result<T>> call) {
    try {
      result.answer(call.get());
    } catch (RuntimeException | Error failed) {
      result.completeExceptionally(failed);
    }
  }

  @Override
  public Result<OpenedSession> openSession() {
    return ask(
        new Command.OpenSession(),
        Reply.SessionOpened.class,
        reply -> new OpenedSession(LeaseId.text(reply.session())));
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    return poll(request).run(request.waitMs() > 0);
  }

  @Override
  public AsyncResult<Popped> popAsync(PopRequest request) {
    PopPoll poll = poll(request);
    poll.start(request.waitMs() > 0);
    return poll;
  }

  private PopPoll poll(PopRequest request) {
    return new PopPoll(polls, shard, sealedPops, request);
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    return settled(shard.apply(new Command.SettleMessages(request)));
  }

  private static Result<Settled> settled(Reply reply) {
    return Answers.of(reply, Reply.SettledMessages.class, done -> new Settled(done.verdicts()));
  }

  @Override
  public AsyncResult<Settled> settleAsync(SettleRequest request) {
    return submit(
        new Command.SettleMessages(request), EmbeddedBroker::settled, () -> settle(request));
  }

  @Override
  public Result<Extended> extend(ExtendRequest request) {
    return new ExtendPoll(polls, shard, request).run(request.waitMs() > 0);
  }

  @Override
  public AsyncResult<Extended> extendAsync(ExtendRequest request) {
    ExtendPoll poll = new ExtendPoll(polls, shard, request);
    poll.start(request.waitMs() > 0);
    return poll;
  }

  @Override
  public Result<LeaseInfo> lease(String leaseId) {
    present("leaseId", leaseId);
    return look(view -> Looks.lease(view, leaseId), "no lease of that id is known");
  }

  @Override
  public Result<Page<HeldLease>> leases(LeasesRequest request) {
    return lists.leases(request);
  }

  @Override
  public Result<TaskInfo> start(StartRequest request) {
    return ask(new Command.StartTask(request), Reply.StartedTask.class, Reply.StartedTask::task);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    Refusal refusal = limiter.operationsRefusal(request.operations());
    if (refusal != null) {
      return Result.refused(refusal);
    }
    return committed(seals.ask(sealer -> command(request, sealer)));
  }

  private static Command command(CommitRequest request, Sealer sealer) {
    return new Command.CommitOperations(
        Answers.parts(request, sealer), request.requestId(), request.number());
  }

  private static Result<Committed> committed(Reply reply) {
    return Answers.of(reply, Reply.CommittedOperations.class, Reply.CommittedOperations::committed);
  }

  /** Payloads that are to be encrypted take a virtual thread. */
  @Override
  public AsyncResult<Committed> commitAsync(CommitRequest request) {
    Refusal refusal = limiter.operationsRefusal(request.operations());
    if (refusal != null) {
      return AsyncResult.of(Result.refused(refusal));
    }
    if (request.operations().stream().anyMatch(this::isSealed)) {
      return onVirtualThread(() -> commit(request));
    }
    return submit(command(request, Sealer.NONE), EmbeddedBroker::committed, () -> commit(request));
  }

  private boolean isSealed(Operation operation) {
    return operation instanceof Operation.PushMessage push
        && seals.isSealed(push.message().queue());
  }

  @Override
  public Result<Moved> cancel(CancelRequest request) {
    return ask(
        new Command.CancelMessage(request.message()),
        Reply.MovedMessage.class,
        Reply.MovedMessage::moved);
  }

  @Override
  public Result<Moved> reschedule(RescheduleRequest request) {
    return ask(
        new Command.RescheduleMessage(request.message(), request.visibleAtMs()),
        Reply.MovedMessage.class,
        Reply.MovedMessage::moved);
  }

  @Override
  public Result<QueueInfo> configure(ConfigureRequest request) {
    Refusal refusal = seals.refusal(request);
    if (refusal != null) {
      return Result.refused(refusal);
    }
    return ask(
        new Command.ConfigureQueue(request),
        Reply.ConfiguredQueue.class,
        Reply.ConfiguredQueue::queue);
  }

  @Override
  public Result<Page<QueueInfo>> queues(QueuesRequest request) {
    return look(view -> Looks.queues(view, request), "");
  }

  @Override
  public Result<QueueInfo> queue(String name) {
    present("queue", name);
    return look(view -> Looks.queue(view, name), "there is no queue " + name);
  }

  @Override
  public Result<Page<QueueLoad>> loads(LoadsRequest request) {
    return lists.loads(request);
  }

  @Override
  public Result<Page<PartitionInfo>> partitions(PartitionsRequest request) {
    String of = request.group() == null ? "" : "group " + request.group() + " of a ";
    return look(
        view -> Looks.partitions(view, request), "there is no " + of + "queue " + request.queue());
  }

  @Override
  public Result<Page<BrowsedMessage>> browse(BrowseRequest request) {
    return lists.browse(request);
  }

  @Override
  public Result<MessageDetail> message(MessageRef message) {
    present("message", message);
    Result<MessageDetail> stored =
        look(view -> Explain.message(view, message), "there is no such message");
    return stored.map(seals::show);
  }

  @Override
  public Result<DeadLetters> deadLetters(DeadLettersRequest request) {
    return lists.deadLetters(request);
  }

  @Override
  public Result<DeadErrors> deadErrors(DeadErrorsRequest request) {
    return lists.deadErrors(request);
  }

  @Override
  public Result<Affected> requeue(RequeueRequest request) {
    return request.dryRun()
        ? lists.countDead(request.filter())
        : bulk.overDead(after -> new Command.RequeueDead(request.filter(), after));
  }

  @Override
  public Result<Affected> removeDeadLetters(DeadLetterFilter filter) {
    present("filter", filter);
    return bulk.overDead(after -> new Command.RemoveDead(filter, after));
  }

  @Override
  public Result<Page<GroupInfo>> groups(GroupsRequest request) {
    return lists.groups(request);
  }

  @Override
  public Result<Sought> seek(SeekRequest request) {
    return bulk.seek(request);
  }

  @Override
  public Result<StartFrom> subscribeFrom(SubscribeRequest request) {
    return ask(
        new Command.SubscribeGroup(request), Reply.ChangedStart.class, Reply.ChangedStart::before);
  }

  @Override
  public Result<Affected> deleteGroup(String queue, String group) {
    present("queue", queue);
    present("group", group);
    return bulk.overDead(after -> new Command.DeleteGroup(queue, group, after));
  }

  @Override
  public Result<Affected> purge(PurgeRequest request) {
    return bulk.purge(request);
  }

  @Override
  public Result<Affected> deleteQueue(String queue) {
    present("queue", queue);
    return change(new Command.DeleteQueue(queue));
  }

  @Override
  public Result<QueueInfo> pause(String queue, boolean paused) {
    present("queue", queue);
    return ask(
        new Command.PauseQueue(queue, paused),
        Reply.ConfiguredQueue.class,
        Reply.ConfiguredQueue::queue);
  }

  @Override
  public Result<TaskInfo> task(MessageRef message) {
    present("message", message);
    return look(view -> Looks.task(view, message), "no task is kept for this message");
  }

  @Override
  public Result<Page<TaskInfo>> tasks(TasksRequest request) {
    return lists.tasks(request);
  }

  @Override
  public Result<JournalPage> journal(JournalRequest request) {
    return lists.journal(request);
  }

  @Override
  public Result<StoredRecord> record(RecordRequest request) {
    return new RecordPoll(polls, shard, work.reads, request)
        .run(request.newerThan() >= 0 && request.waitMs() > 0);
  }

  @Override
  public Result<Page<StoredRecord>> records(RecordsRequest request) {
    return lists.records(request);
  }

  @Override
  public Result<Stats> stats() {
    BatchWriter writer = shard.writer();
    return look(
        view ->
            Looks.stats(
                view,
                config.durability().name().toLowerCase(Locale.ROOT),
                openedMs,
                shard.mailboxDepth(),
                waiters.count(),
                writer.batches(),
                writer.synced(),
                writer.syncNanos(),
                shard.clockAheadMs()),
        "");
  }

  /** What is missing must not reach the shard, which an error there would stop. */
  private static void present(String field, @Nullable Object value) {
    if (value == null) {
      throw new InvalidArgumentException(field + ": expected a value, but there is none");
    }
  }

  private Result<Affected> change(Command command) {
    return ask(command, Reply.ChangedMessages.class, Reply.ChangedMessages::affected);
  }

  private <R extends Reply, T> Result<T> ask(
      Command command, Class<R> type, Function<R, T> answer) {
    return Answers.of(shard.apply(command), type, answer);
  }

  private <T> Result<T> look(Function<ShardView, @Nullable T> question, String absent) {
    return Answers.of(shard.look(view -> Answers.found(question.apply(view), absent)));
  }

  /** Stops taking requests, answers what waits, flushes, and lets go of the data. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      waiters.close();
      shard.close();
      timer.close();
      work.close();
      store.close();
    }
  }
}
