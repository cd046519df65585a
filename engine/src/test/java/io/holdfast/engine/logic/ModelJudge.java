package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.commit.Committed.Step;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.logic.Model.Grant;
import io.holdfast.engine.logic.Model.Item;
import io.holdfast.engine.logic.Model.Msg;
import io.holdfast.engine.logic.Model.Part;
import io.holdfast.engine.logic.Model.Q;
import io.holdfast.engine.logic.Model.State;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Tables;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares every reply of the engine with what the model expects, and lets the model follow. */
final class ModelJudge {
  private record Answered(String text, long untilMs) {}

  private final Model model = new Model();
  private final Map<String, Answered> requests = new HashMap<>();
  private final ModelSessions sessions = new ModelSessions(RandomLogTest.SESSIONS_MAX);

  /** Judges a reply, given the state of the engine after it. */
  void judge(LoggedCommand entry, Reply reply, Replay shard) {
    ShardState engine = shard.state();
    model.pass(entry.stamp().nowMs());
    if (!sessions.judge(entry.command(), reply, model.nowMs)) {
      judgeUnnumbered(entry, reply, shard);
    }
    model.queues.values().forEach(queue -> compareCounts(queue, engine));
    ModelSettles.noteAhead(model, engine);
  }

  /** Judges a request that has no number, or whose number is new. */
  private void judgeUnnumbered(LoggedCommand entry, Reply reply, Replay shard) {
    String requestId = requestId(entry.command());
    Answered before = requestId == null ? null : requests.get(requestId);
    if (before != null && before.untilMs > model.nowMs) {
      assertThat(Replies.text(reply)).as("a repeated request").isEqualTo(before.text);
    } else {
      follow(entry.stamp(), entry.command(), reply, shard);
      if (requestId != null && !(reply instanceof Reply.Refused)) {
        long untilMs = model.nowMs + LogicLimits.REQUEST_MS;
        requests.put(requestId, new Answered(Replies.text(reply), untilMs));
      }
    }
  }

  /** The id of a request; that of a push is not that of a commit. */
  private static @Nullable String requestId(Command command) {
    return switch (command) {
      case Command.PushMessages push ->
          push.requestId() == null ? null : "push " + push.requestId();
      case Command.CommitOperations commit ->
          commit.requestId() == null ? null : "commit " + commit.requestId();
      default -> null;
    };
  }

  private void follow(Stamp stamp, Command command, Reply reply, Replay shard) {
    ShardState engine = shard.state();
    ModelSettles settles = new ModelSettles(model);
    ModelChanges changes = new ModelChanges(model, engine);
    switch (command) {
      case Command.PushMessages push -> new ModelPush(model).judge(push, reply);
      case Command.OpenSession open -> {}
      case Command.PopMessages pop -> judgePop(stamp, pop.request(), reply, shard);
      case Command.SettleMessages settle -> {
        var verdicts = ((Reply.SettledMessages) reply).verdicts();
        if (settle.request().atomic()) {
          settles.judgeAtomic(settle.request().settles(), verdicts);
        } else {
          settles.judge(settle.request().settles(), verdicts);
        }
      }
      case Command.ExtendLease extend -> judgeExtend(extend, reply);
      case Command.StartTask start -> {}
      case Command.SetLimits set -> {}
      case Command.CommitOperations commit -> judgeCommit(commit, reply, engine);
      case Command.CancelMessage cancel ->
          changes.cancel(cancel.message(), ModelChanges.told(reply));
      case Command.RescheduleMessage again ->
          changes.reschedule(again.message(), again.visibleAtMs(), reply);
      case Command.ConfigureQueue configure -> configure(configure.request());
      case Command.PauseQueue pause -> {
        Q queue = model.queues.get(pause.queue());
        assertThat(reply instanceof Reply.Refused).isEqualTo(queue == null);
        if (queue != null) {
          queue.paused = pause.paused();
        }
      }
      case Command.PurgeQueue purge ->
          changes.purge(model.queues.get(purge.queue()), purge.partition(), reply);
      case Command.DeleteQueue delete -> changes.deleteQueue(delete.queue(), reply);
      case Command.SeekGroup seek -> changes.seek(seek.request(), reply);
      case Command.SubscribeGroup subscribe -> changes.subscribe(subscribe.request(), reply);
      case Command.DeleteGroup delete ->
          changes.deleteGroup(model.queues.get(delete.queue()), delete.group(), reply);
      case Command.RequeueDead requeue -> changes.requeue(requeue.filter(), reply);
      case Command.RemoveDead remove -> changes.removeDead(remove.filter(), reply);
      case Command.RaiseFormat raise ->
          assertThat(reply).isEqualTo(new Reply.RaisedFormat(raise.level()));
      case Command.Tick tick -> {
        if (tick.sweep() != null) {
          changes.sweep();
        }
      }
    }
  }

  private void configure(ConfigureRequest request) {
    Q queue = model.queue(request.queue());
    queue.options =
        request.replace()
            ? QueueOptions.of(request.changes())
            : queue.options.with(request.changes());
  }

  private void judgePop(Stamp stamp, PopRequest request, Reply reply, Replay shard) {
    String join = request.joinLease();
    if (join != null && model.live(LeaseId.number(join)) == null) {
      assertThat(((Reply.Refused) reply).refusal().code()).isEqualTo(ErrorCode.STALE_LEASE);
      return;
    }
    Reply.PoppedMessages popped = (Reply.PoppedMessages) reply;
    new ModelSettles(model).judge(request.settles(), popped.settled());
    String name =
        request.source() instanceof PopSource.OnePartition one
            ? one.queue()
            : ((PopSource.WholeQueue) request.source()).queue();
    Q queue = model.queue(name);
    if (!queue.groups.contains(request.group())) {
      queue.groups.add(request.group());
      long startMs = ModelChanges.startMs(request.start());
      queue.startMs.put(request.group(), startMs);
      queue.parts.values().forEach(part -> part.startMs.put(request.group(), startMs));
      adoptFirstPop(stamp, queue, request, popped, shard);
      return;
    }
    ModelPop expected = new ModelPop(model, request, queue, stamp);
    String answer = expected.answer();
    List<String> taken = popped.messages().stream().map(ModelJudge::text).toList();
    assertThat(taken).as("what %s brings", request).isEqualTo(expected.taken);
    assertThat(
            popped.lease()
                + " until "
                + popped.leaseUntilMs()
                + " "
                + popped.reason()
                + " at "
                + popped.retryAtMs())
        .as("what %s is told", request)
        .isEqualTo(answer);
  }

  private static String text(Reply.Taken taken) {
    return taken.partition()
        + "/"
        + taken.lane()
        + "/"
        + taken.seq()
        + "="
        + taken.chunk().idSeq(taken.seq(), taken.offset())
        + "#"
        + taken.attempt()
        + "!"
        + taken.failures();
  }

  /** Where a new group begins depends on what was trimmed: the model follows the engine. */
  private void adoptFirstPop(
      Stamp stamp, Q queue, PopRequest request, Reply.PoppedMessages popped, Replay shard) {
    for (Part part : queue.parts.values()) {
      new ModelChanges(model, shard.state()).adopt(part, request.group());
    }
    long lengthMs = request.leaseMs() > 0 ? request.leaseMs() : queue.ms(QueueOption.LEASE_TIME);
    Grant grant = new Grant(popped.lease(), queue, request.group(), lengthMs, model.nowMs);
    grant.attemptId = request.attemptId();
    for (Reply.Taken taken : popped.messages()) {
      Part part = Objects.requireNonNull(queue.parts.get(taken.partition()));
      part.served(request, stamp);
      part.messages.stream()
          .filter(message -> !message.isDelayed() && message.seq == taken.seq())
          .forEach(message -> grant.items.add(new Item(message)));
    }
    assertThat(grant.items).hasSameSizeAs(popped.messages());
    adoptDead(queue, request.group(), shard);
    if (popped.lease() != LeaseId.NONE) {
      model.grants.put(grant.id, grant);
    }
  }

  private void adoptDead(Q queue, String name, Replay shard) {
    Queue real = Objects.requireNonNull(shard.state().queue(queue.name));
    Group group = Objects.requireNonNull(real.group(name));
    if (group.dead == 0) {
      return;
    }
    try (Snapshot rows = shard.snapshot()) {
      for (Part part : queue.parts.values()) {
        for (Msg message : part.inOrder()) {
          byte[] id = Tables.deadId(real.number, part.number, message.idSeq, group.number);
          if (rows.get(id) != null) {
            model.bury(message, name, 1);
          }
        }
      }
    }
  }

  private void judgeExtend(Command.ExtendLease extend, Reply reply) {
    Grant grant = model.live(LeaseId.number(extend.leaseId()));
    if (grant == null) {
      assertThat(((Reply.Refused) reply).refusal().code()).isEqualTo(ErrorCode.STALE_LEASE);
      return;
    }
    grant.untilMs = Math.max(grant.untilMs, model.nowMs + extend.leaseMs());
    var extended = ((Reply.ExtendedLease) reply).extended();
    assertThat(extended.leaseUntilMs()).isEqualTo(grant.untilMs);
    assertThat(extended.open()).isEqualTo((int) grant.open());
  }

  /** A commit that was refused must have changed nothing, which later replies show. */
  private void judgeCommit(Command.CommitOperations commit, Reply reply, ShardState engine) {
    if (!(reply instanceof Reply.CommittedOperations done)) {
      return;
    }
    Iterator<Step> steps = done.committed().steps().iterator();
    for (Command.Part part : commit.parts()) {
      switch (part) {
        case Command.Part.Push push -> {
          for (int i = 0; i < push.operations(); i++) {
            new ModelPush(model)
                .follow(push.messages(), i, ((Step.MessagePushed) steps.next()).message());
          }
        }
        case Command.Part.Other other -> {
          Step step = steps.next();
          if (other.operation() instanceof Operation.SettleMessage settle) {
            new ModelSettles(model)
                .judge(List.of(settle.settle()), List.of(((Step.MessageSettled) step).verdict()));
          } else if (other.operation() instanceof Operation.CancelMessage cancel) {
            cancel(cancel, ((Step.MessageCancelled) step).found(), engine);
          } else if (other.operation() instanceof Operation.RemoveDead remove) {
            new ModelChanges(model, engine).removeDead(remove, ((Step.DeadRemoved) step).count());
          }
        }
      }
    }
    assertThat(steps.hasNext()).as("steps left").isFalse();
  }

  private void cancel(Operation.CancelMessage cancel, boolean found, ShardState engine) {
    ModelChanges changes = new ModelChanges(model, engine);
    changes.cancel(cancel.message(), found ? changes.expected(cancel.message()) : null);
    if (!found) {
      changes.giveUpName(cancel.message());
    }
  }

  private void compareCounts(Q queue, ShardState engine) {
    Queue real = Objects.requireNonNull(engine.queue(queue.name));
    boolean ages = queue.ms(QueueOption.TTL) > 0 || queue.ms(QueueOption.RETENTION) > 0;
    for (String name : queue.groups) {
      Group group = Objects.requireNonNull(real.group(name));
      String what = "group " + name + " of queue " + queue.name + ": ";
      assertThat(group.inFlight).as(what + "held").isEqualTo(model.count(queue, name, State.HELD));
      long dead = queue.dead.stream().filter(d -> d.group.equals(name)).count();
      assertThat(group.dead).as(what + "dead").isEqualTo(dead);
      if (!ages) {
        assertThat(group.waiting)
            .as(what + "waiting")
            .isEqualTo(model.count(queue, name, State.WAITING));
        assertThat(group.returned)
            .as(what + "back")
            .isEqualTo(model.count(queue, name, State.BACK));
      }
    }
    assertThat(real.delayed).as("delayed of " + queue.name).isEqualTo(model.delayed(queue));
  }
}
