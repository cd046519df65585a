package io.holdfast.api.wire;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.OpenedSession;
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
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** All verbs of a broker. */
public final class Verbs {
  /** The type of the bodies, as HTTP has it; another version gets another name. */
  public static final String CONTENT_TYPE = "application/vnd.holdfast.v1";

  /** Where the verbs are found: the name of one follows. */
  public static final String PATH = "/api/v1/verbs/";

  /** A queue, lease or the like by its name. */
  public record Named(String name) {}

  /** A group of a queue. */
  public record GroupOfQueue(String queue, String group) {}

  /** A queue to be paused or resumed. */
  public record Pause(String queue, boolean paused) {}

  /** What a verb is asked that needs to know nothing. */
  public record Nothing() {}

  private static final Codecs CODECS = new Codecs();
  private static final List<Verb<?, ?>> MADE = new ArrayList<>();
  static final Codec<Refusal> REFUSAL = CODECS.of(Refusal.class);

  public static final Verb<PushRequest, Pushed> PUSH =
      verb("push", PushRequest.class, Pushed.class, Broker::push, Broker::pushAsync);
  public static final Verb<Nothing, OpenedSession> OPEN_SESSION =
      verb(
          "open-session",
          Nothing.class,
          OpenedSession.class,
          (broker, nothing) -> broker.openSession());
  public static final Verb<PopRequest, Popped> POP =
      verb("pop", PopRequest.class, Popped.class, Broker::pop, Broker::popAsync);
  public static final Verb<SettleRequest, Settled> SETTLE =
      verb("settle", SettleRequest.class, Settled.class, Broker::settle, Broker::settleAsync);
  public static final Verb<ExtendRequest, Extended> EXTEND =
      verb("extend", ExtendRequest.class, Extended.class, Broker::extend, Broker::extendAsync);
  public static final Verb<Named, LeaseInfo> LEASE =
      verb("lease", Named.class, LeaseInfo.class, (broker, lease) -> broker.lease(lease.name()));
  public static final Verb<LeasesRequest, Page<HeldLease>> LEASES =
      paged("leases", LeasesRequest.class, HeldLease.class, Broker::leases);
  public static final Verb<StartRequest, TaskInfo> START =
      verb("start", StartRequest.class, TaskInfo.class, Broker::start);
  public static final Verb<CommitRequest, Committed> COMMIT =
      verb("commit", CommitRequest.class, Committed.class, Broker::commit, Broker::commitAsync);
  public static final Verb<CancelRequest, Moved> CANCEL =
      verb("cancel", CancelRequest.class, Moved.class, Broker::cancel);
  public static final Verb<RescheduleRequest, Moved> RESCHEDULE =
      verb("reschedule", RescheduleRequest.class, Moved.class, Broker::reschedule);
  public static final Verb<ConfigureRequest, QueueInfo> CONFIGURE =
      verb("configure", ConfigureRequest.class, QueueInfo.class, Broker::configure);
  public static final Verb<QueuesRequest, Page<QueueInfo>> QUEUES =
      paged("queues", QueuesRequest.class, QueueInfo.class, Broker::queues);
  public static final Verb<Named, QueueInfo> QUEUE =
      verb("queue", Named.class, QueueInfo.class, (broker, queue) -> broker.queue(queue.name()));
  public static final Verb<LoadsRequest, Page<QueueLoad>> LOADS =
      paged("loads", LoadsRequest.class, QueueLoad.class, Broker::loads);
  public static final Verb<PartitionsRequest, Page<PartitionInfo>> PARTITIONS =
      paged("partitions", PartitionsRequest.class, PartitionInfo.class, Broker::partitions);
  public static final Verb<BrowseRequest, Page<BrowsedMessage>> BROWSE =
      paged("browse", BrowseRequest.class, BrowsedMessage.class, Broker::browse);
  public static final Verb<MessageRef, MessageDetail> MESSAGE =
      verb("message", MessageRef.class, MessageDetail.class, Broker::message);
  public static final Verb<DeadLettersRequest, DeadLetters> DEAD_LETTERS =
      verb("dead-letters", DeadLettersRequest.class, DeadLetters.class, Broker::deadLetters);
  public static final Verb<DeadErrorsRequest, DeadErrors> DEAD_ERRORS =
      verb("dead-errors", DeadErrorsRequest.class, DeadErrors.class, Broker::deadErrors);
  public static final Verb<RequeueRequest, Affected> REQUEUE =
      verb("requeue", RequeueRequest.class, Affected.class, Broker::requeue);
  public static final Verb<DeadLetterFilter, Affected> REMOVE_DEAD_LETTERS =
      verb(
          "remove-dead-letters", DeadLetterFilter.class, Affected.class, Broker::removeDeadLetters);
  public static final Verb<GroupsRequest, Page<GroupInfo>> GROUPS =
      paged("groups", GroupsRequest.class, GroupInfo.class, Broker::groups);
  public static final Verb<SeekRequest, Sought> SEEK =
      verb("seek", SeekRequest.class, Sought.class, Broker::seek);
  public static final Verb<SubscribeRequest, StartFrom> SUBSCRIBE_FROM =
      verb("subscribe-from", SubscribeRequest.class, StartFrom.class, Broker::subscribeFrom);
  public static final Verb<GroupOfQueue, Affected> DELETE_GROUP =
      verb(
          "delete-group",
          GroupOfQueue.class,
          Affected.class,
          (broker, one) -> broker.deleteGroup(one.queue(), one.group()));
  public static final Verb<PurgeRequest, Affected> PURGE =
      verb("purge", PurgeRequest.class, Affected.class, Broker::purge);
  public static final Verb<Named, Affected> DELETE_QUEUE =
      verb(
          "delete-queue",
          Named.class,
          Affected.class,
          (broker, queue) -> broker.deleteQueue(queue.name()));
  public static final Verb<Pause, QueueInfo> PAUSE =
      verb(
          "pause",
          Pause.class,
          QueueInfo.class,
          (broker, pause) -> broker.pause(pause.queue(), pause.paused()));
  public static final Verb<MessageRef, TaskInfo> TASK =
      verb("task", MessageRef.class, TaskInfo.class, Broker::task);
  public static final Verb<TasksRequest, Page<TaskInfo>> TASKS =
      paged("tasks", TasksRequest.class, TaskInfo.class, Broker::tasks);
  public static final Verb<JournalRequest, JournalPage> JOURNAL =
      verb("journal", JournalRequest.class, JournalPage.class, Broker::journal);
  public static final Verb<RecordRequest, StoredRecord> RECORD =
      verb("record", RecordRequest.class, StoredRecord.class, Broker::record);
  public static final Verb<RecordsRequest, Page<StoredRecord>> RECORDS =
      paged("records", RecordsRequest.class, StoredRecord.class, Broker::records);
  public static final Verb<Nothing, Stats> STATS =
      verb("stats", Nothing.class, Stats.class, (broker, nothing) -> broker.stats());

  /** All of them. */
  public static final List<Verb<?, ?>> ALL = List.copyOf(MADE);

  private Verbs() {}

  private static <I, O> Verb<I, O> verb(
      String name, Class<I> asked, Class<O> answered, BiFunction<Broker, I, Result<O>> action) {
    return verb(name, asked, answered, action, null);
  }

  private static <I, O> Verb<I, O> verb(
      String name,
      Class<I> asked,
      Class<O> answered,
      BiFunction<Broker, I, Result<O>> action,
      @Nullable BiFunction<Broker, I, AsyncResult<O>> asyncAction) {
    return add(
        new Verb<>(
            name, MADE.size() + 1, CODECS.of(asked), CODECS.of(answered), action, asyncAction));
  }

  private static <I, O> Verb<I, Page<O>> paged(
      String name, Class<I> asked, Class<O> item, BiFunction<Broker, I, Result<Page<O>>> action) {
    return add(
        new Verb<>(name, MADE.size() + 1, CODECS.of(asked), CODECS.page(item), action, null));
  }

  private static <I, O> Verb<I, O> add(Verb<I, O> verb) {
    MADE.add(verb);
    return verb;
  }

  public static byte[] refusalBytes(Refusal why) {
    return Verb.bytes(REFUSAL, why);
  }

  /**
   * Why a verb was refused.
   *
   * @throws IllegalArgumentException if the bytes are no refusal
   */
  public static Refusal refusal(byte[] body) {
    return refusal(body, 0, body.length);
  }

  /**
   * Why a verb was refused, in a part of some bytes.
   *
   * @throws IllegalArgumentException if that is no refusal
   */
  public static Refusal refusal(byte[] bytes, int from, int to) {
    return Verb.read(REFUSAL, new WireIn(bytes, from, to));
  }

  /** The verb that has a number in frames; null if none has it. */
  public static @Nullable Verb<?, ?> numbered(int number) {
    return number < 1 || number > ALL.size() ? null : ALL.get(number - 1);
  }

  /**
   * What goes over the wire: each verb with its number, then each record, choice and word, one a
   * line.
   */
  public static String described() {
    List<String> lines = new ArrayList<>();
    for (Verb<?, ?> verb : ALL) {
      lines.add(
          verb.number()
              + " "
              + verb.name()
              + ": "
              + verb.requestName()
              + " -> "
              + verb.answerName());
    }
    lines.add("");
    lines.addAll(CODECS.described());
    return String.join("\n", lines) + "\n";
  }
}
