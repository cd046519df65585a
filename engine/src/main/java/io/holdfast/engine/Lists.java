package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.dead.DeadErrors;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.HeldLease;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.LoadsRequest;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.query.Browse;
import io.holdfast.engine.query.GroupPlace;
import io.holdfast.engine.query.HeadTimes;
import io.holdfast.engine.query.LeasePlace;
import io.holdfast.engine.query.Looks;
import io.holdfast.engine.query.StoredDead;
import io.holdfast.engine.query.StoredRows;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Lists: a short look at the index says what to read, and threads for reads read it. */
final class Lists {
  /** Most partitions that one page of a browse goes through. */
  private static final int BROWSE_PARTITIONS_MAX = 256;

  private record GroupsAt(Looks.Groups groups, long nowMs) {}

  private record LoadsAt(Looks.Loads loads, long nowMs) {}

  private final Shard shard;
  private final StoreThreads reads;
  private final StoreThreads searches;
  private final Seals seals;
  private final HeadTimes headTimes = new HeadTimes();

  Lists(Shard shard, StoreWork work, Seals seals) {
    this.shard = shard;
    this.reads = work.reads;
    this.searches = work.searches;
    this.seals = seals;
  }

  Result<Page<BrowsedMessage>> browse(BrowseRequest request) {
    return stored(request).map(seals::show);
  }

  private Result<Page<BrowsedMessage>> stored(BrowseRequest request) {
    Result<Integer> queue = number(request.queue());
    if (!queue.isOk()) {
      return Result.refused(queue.refusal());
    }
    Browse browse = new Browse(request);
    StoreThreads threads = request.states().isEmpty() ? reads : searches;
    for (int left = BROWSE_PARTITIONS_MAX; left > 0; left--) {
      Result<Browse.PartitionView> next =
          Answers.of(shard.look(view -> Answers.found(browse.next(view), "")));
      if (!next.isOk()) {
        return next.refusal().code() == ErrorCode.NOT_FOUND
            ? Result.ok(browse.page(false))
            : Result.refused(next.refusal());
      }
      Result<Boolean> done =
          threads.read(snapshot -> Result.ok(browse.read(snapshot, next.orThrow())));
      if (!done.isOk()) {
        return Result.refused(done.refusal());
      }
      if (done.orThrow()) {
        return Result.ok(browse.page(browse.isFull()));
      }
    }
    return Result.ok(browse.page(true));
  }

  Result<DeadLetters> deadLetters(DeadLettersRequest request) {
    StoredRows.check(request);
    DeadLetterFilter filter = request.filter();
    Result<DeadLetters> stored =
        ofDead(threads(filter), filter, (rows, known) -> rows.page(request, known));
    return stored.map(seals::show);
  }

  /** A page of all dead letters and a message looked up by id visit few rows. */
  private StoreThreads threads(DeadLetterFilter filter) {
    boolean all = filter.equals(DeadLetterFilter.queue(filter.queue()));
    return all || filter.messageId() != null ? reads : searches;
  }

  Result<Affected> countDead(DeadLetterFilter filter) {
    return ofDead(
        threads(filter),
        filter,
        (rows, known) -> new Affected(known >= 0 ? known : rows.count(filter)));
  }

  Result<DeadErrors> deadErrors(DeadErrorsRequest request) {
    StoredRows.check(request);
    return ofDead(
        searches, DeadLetterFilter.queue(request.queue()), (rows, known) -> rows.errors(request));
  }

  private interface OfDead<T> {
    T read(StoredDead rows, long known);
  }

  private <T> Result<T> ofDead(StoreThreads threads, DeadLetterFilter filter, OfDead<T> question) {
    Result<Looks.Dead> dead =
        Answers.of(
            shard.look(
                view ->
                    Answers.found(
                        Looks.dead(view, filter), "there is no queue " + filter.queue())));
    return dead.isOk()
        ? threads.read(
            snapshot ->
                Result.ok(
                    question.read(
                        new StoredDead(snapshot, dead.orThrow()), dead.orThrow().known())))
        : Result.refused(dead.refusal());
  }

  Result<Page<QueueLoad>> loads(LoadsRequest request) {
    Result<LoadsAt> found =
        Answers.of(
            shard.look(view -> Result.ok(new LoadsAt(Looks.loads(view, request), view.nowMs()))));
    if (!found.isOk()) {
      return Result.refused(found.refusal());
    }
    Looks.Loads loads = found.orThrow().loads();
    long nowMs = found.orThrow().nowMs();
    return read(
        reads,
        rows -> {
          List<QueueLoad> items = new ArrayList<>();
          for (int i = 0; i < loads.loads().size(); i++) {
            long ageMs = rows.ageMs(loads.heads().get(i), headTimes, nowMs);
            items.add(StoredRows.withAge(loads.loads().get(i), ageMs));
          }
          return new Page<>(items, loads.next());
        });
  }

  Result<Page<HeldLease>> leases(LeasesRequest request) {
    // A bad argument is the caller's, and must not reach the shard.
    LeasePlace.of(request);
    return Answers.of(
        shard.look(
            view ->
                Answers.found(
                    Looks.leases(view, request), "there is no queue " + request.queue())));
  }

  Result<Page<TaskInfo>> tasks(TasksRequest request) {
    StoredRows.check(request);
    Result<Integer> queue = number(request.queue());
    StoreThreads threads = request.status() == null ? reads : searches;
    return queue.isOk()
        ? read(threads, rows -> rows.tasks(queue.orThrow(), request))
        : Result.refused(queue.refusal());
  }

  Result<Page<GroupInfo>> groups(GroupsRequest request) {
    // A bad argument is the caller's, and must not reach the shard.
    GroupPlace.of(request);
    Result<GroupsAt> found =
        Answers.of(
            shard.look(
                view -> {
                  Looks.Groups groups = Looks.groups(view, request);
                  return Answers.found(
                      groups == null ? null : new GroupsAt(groups, view.nowMs()),
                      "there is no queue " + request.queue());
                }));
    if (!found.isOk()) {
      return Result.refused(found.refusal());
    }
    Looks.Groups groups = found.orThrow().groups();
    return read(
        reads,
        rows -> {
          List<GroupInfo> items = new ArrayList<>();
          for (int i = 0; i < groups.groups().size(); i++) {
            long lagMs = rows.ageMs(groups.heads().get(i), headTimes, found.orThrow().nowMs());
            items.add(StoredRows.withLag(groups.groups().get(i), lagMs));
          }
          return new Page<>(items, groups.next());
        });
  }

  Result<JournalPage> journal(JournalRequest request) {
    return readNewest(rows -> rows.journal(request));
  }

  Result<Page<StoredRecord>> records(RecordsRequest request) {
    return readNewest(rows -> rows.records(request));
  }

  /** Reads rows without a look at the index. */
  private <T> Result<T> readNewest(Function<StoredRows, T> question) {
    Reply.Refused unreadable = shard.awaitReadable();
    return unreadable == null ? read(reads, question) : Result.refused(unreadable.refusal());
  }

  private static <T> Result<T> read(StoreThreads threads, Function<StoredRows, T> question) {
    return threads.read(snapshot -> Result.ok(question.apply(new StoredRows(snapshot))));
  }

  private Result<Integer> number(String queue) {
    return Answers.of(
        shard.look(
            view -> {
              int number = Looks.number(view, queue);
              return Answers.found(number == 0 ? null : number, "there is no queue " + queue);
            }));
  }
}
