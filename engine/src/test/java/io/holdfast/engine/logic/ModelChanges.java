package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.logic.Model.Dead;
import io.holdfast.engine.logic.Model.Msg;
import io.holdfast.engine.logic.Model.Part;
import io.holdfast.engine.logic.Model.Q;
import io.holdfast.engine.logic.Model.Share;
import io.holdfast.engine.logic.Model.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What all other verbs should do, by the model. */
final class ModelChanges {
  private final Model model;
  private final ShardState engine;

  ModelChanges(Model model, ShardState engine) {
    this.model = model;
    this.engine = engine;
  }

  /** How far the furthest group is with a message; null if all have settled it. */
  private static @Nullable MessageState furthest(Msg message) {
    if (message.isDelayed()) {
      return MessageState.DELAYED;
    }
    List<String> groups = message.part.queue.groups;
    if (!message.part.messages.contains(message)) {
      return null;
    }
    MessageState most = groups.isEmpty() ? MessageState.WAITING : null;
    for (String group : groups) {
      MessageState state =
          switch (message.share(group).state) {
            case WAITING -> MessageState.WAITING;
            case BACK -> MessageState.RETURNED;
            case HELD -> MessageState.IN_FLIGHT;
            case DONE -> null;
          };
      if (state != null && (most == null || state.compareTo(most) > 0)) {
        most = state;
      }
    }
    return most;
  }

  /** The state a cancel should tell; null if there is nothing to cancel. */
  @Nullable MessageState expected(MessageRef ref) {
    Msg message = model.find(ref);
    MessageState state = message == null ? null : furthest(message);
    boolean dead =
        message != null && message.part.queue.dead.stream().anyMatch(d -> d.message == message);
    return state != null ? state : dead ? MessageState.DEAD : null;
  }

  void cancel(MessageRef ref, @Nullable MessageState told) {
    Msg message = model.find(ref);
    MessageState expected = expected(ref);
    Q queue = message == null ? null : message.part.queue;
    if (message == null || model.isFound(ref, message) || expected == null) {
      assertThat(told).as("cancel of %s", ref).isEqualTo(expected);
    }
    if (message == null || told == null || queue == null) {
      return;
    }
    queue.dead.removeIf(dead -> dead.message == message);
    model.takeAway(grant -> true, held -> held == message, Items.CANCELLED);
    boolean stored = model.isStored(message) || expected != MessageState.DEAD;
    message.shares.values().forEach(share -> share.reset(State.DONE));
    message.part.messages.remove(message);
    message.dueMs = 0;
    if (message.name != null && message.part.names.get(message.name) == message && stored) {
      message.part.names.remove(message.name);
    }
    message.unsure = true;
  }

  /**
   * A message that is settled loses its name to a cancel within a commit, if it is still stored:
   * the model does not know when those are trimmed.
   */
  void giveUpName(MessageRef ref) {
    Msg message = model.find(ref);
    if (message != null) {
      message.unsure = true;
    }
  }

  void reschedule(MessageRef ref, long visibleAtMs, Reply reply) {
    Msg message = model.find(ref);
    MessageState expected = message == null ? null : furthest(message);
    MessageState told = reply instanceof Reply.MovedMessage moved ? moved.moved().state() : null;
    if (message == null || model.isFound(ref, message) || expected == null) {
      assertThat(told).as("reschedule of %s", ref).isEqualTo(expected);
    }
    if (message == null || told == null) {
      return;
    }
    Q queue = message.part.queue;
    boolean untouched =
        queue.groups.stream().allMatch(g -> message.share(g).state == State.WAITING);
    if (message.isDelayed() || untouched) {
      message.dueMs = visibleAtMs;
      return;
    }
    for (String group : queue.groups) {
      Share share = message.share(group);
      if (share.state == State.HELD) {
        model.takeAway(g -> g.group.equals(group), held -> held == message, Items.CANCELLED);
        model.back(share, visibleAtMs);
      } else if (share.state != State.DONE) {
        share.state = State.BACK;
        share.visibleAtMs = visibleAtMs;
      }
    }
  }

  private static List<Part> parts(Q queue, @Nullable String only) {
    return queue.parts.values().stream()
        .filter(part -> only == null || only.equals(part.name))
        .toList();
  }

  void purge(@Nullable Q queue, @Nullable String only, Reply reply) {
    if (queue == null || reply instanceof Reply.Refused) {
      return;
    }
    for (Part part : parts(queue, only)) {
      model.takeAway(grant -> true, held -> held.part == part, Items.GIVEN_BACK);
      for (Msg message : part.messages) {
        message.unsure = true;
        message.dueMs = 0;
        message.shares.values().forEach(share -> share.reset(State.DONE));
      }
      part.messages.clear();
    }
  }

  void deleteQueue(String name, Reply reply) {
    Q queue = model.queues.remove(name);
    assertThat(reply instanceof Reply.Refused).isEqualTo(queue == null);
    model.takeAway(grant -> grant.queue == queue, held -> true, Items.GIVEN_BACK);
  }

  void deleteGroup(@Nullable Q queue, String group, Reply reply) {
    boolean there = queue != null && queue.groups.contains(group);
    assertThat(reply instanceof Reply.Refused).isEqualTo(!there);
    if (queue == null || !there) {
      return;
    }
    if (queue.groups.size() == 1) {
      queue.parts.values().forEach(this::forgetTrimmed);
    }
    queue.groups.remove(group);
    model.takeAway(g -> g.queue == queue && g.group.equals(group), held -> true, Items.GIVEN_BACK);
    queue.dead.removeIf(dead -> dead.group.equals(group));
    queue.startMs.remove(group);
    for (Part part : queue.parts.values()) {
      part.lastServed.remove(group);
      part.forgetWorker(group);
      part.startMs.remove(group);
      part.messages.forEach(message -> message.shares.remove(group));
    }
  }

  /**
   * Follows the engine in what it has trimmed, of what all groups have settled: without groups the
   * rest counts as unsettled again.
   */
  private void forgetTrimmed(Part part) {
    Partition partition = engine.partition(part.number);
    part.messages.removeIf(message -> furthest(message) == null && !isInLane(partition, message));
  }

  private static boolean isInLane(@Nullable Partition partition, Msg message) {
    Lane lane = partition == null ? null : partition.lane(message.lane);
    return lane != null && message.seq >= lane.firstSeq;
  }

  void subscribe(SubscribeRequest request, Reply reply) {
    Q queue = model.queues.get(request.queue());
    boolean there = queue != null && queue.groups.contains(request.group());
    assertThat(reply instanceof Reply.Refused).isEqualTo(!there);
    if (queue != null && there) {
      queue.startMs.put(request.group(), startMs(request.start()));
    }
  }

  static long startMs(StartFrom start) {
    return start instanceof StartFrom.Time time ? time.fromMs() : 0;
  }

  void seek(SeekRequest request, Reply reply) {
    Q queue = model.queues.get(request.queue());
    boolean there =
        queue != null
            && queue.groups.contains(request.group())
            && (request.partition() == null || queue.parts.containsKey(request.partition()));
    assertThat(reply instanceof Reply.Refused).isEqualTo(!there);
    if (queue == null || !there) {
      return;
    }
    for (Part part : parts(queue, request.partition())) {
      List<Msg> mustCome = new ArrayList<>();
      for (Msg message : part.inOrder()) {
        boolean reached =
            switch (request.to()) {
              case SeekRequest.To.Beginning all -> true;
              case SeekRequest.To.End end -> false;
              case SeekRequest.To.Time time -> message.enteredMs >= time.fromMs();
            };
        if (reached
            && message.share(request.group()).state == State.WAITING
            && model.isStored(message)) {
          mustCome.add(message);
        }
      }
      model.takeAway(
          g -> g.queue == queue && g.group.equals(request.group()),
          held -> held.part == part,
          Items.GIVEN_BACK);
      adopt(part, request.group());
      for (Msg message : mustCome) {
        assertThat(message.share(request.group()).state)
            .as("a message that was not settled, at %s after a seek", message.seq)
            .isEqualTo(State.WAITING);
      }
    }
  }

  /** Takes over where the engine says a group stands: that depends on what was trimmed. */
  void adopt(Part part, String group) {
    Partition partition = engine.partition(part.number);
    Group of = partition == null ? null : partition.queue.group(group);
    Subscription subscription = partition == null || of == null ? null : partition.subscription(of);
    for (Msg message : part.inOrder()) {
      Share share = message.share(group);
      Held held =
          subscription == null || !isInLane(partition, message)
              ? null
              : Held.find(subscription, message.lane, message.seq);
      MessageState state = held == null ? null : held.state();
      if (state == null) {
        share.reset(State.DONE);
      } else {
        share.reset(
            switch (state) {
              case WAITING -> State.WAITING;
              case IN_FLIGHT -> State.HELD;
              default -> State.BACK;
            });
      }
    }
  }

  private static boolean matches(Dead dead, DeadLetterFilter filter) {
    Msg message = dead.message;
    return (filter.messageId() == null
            || filter
                .messageId()
                .equals(MessageId.uuid(message.createdMs, message.part.number, message.idSeq)))
        && (filter.group() == null || filter.group().equals(dead.group))
        && (filter.partition() == null || filter.partition().equals(dead.message.part.name));
  }

  void requeue(DeadLetterFilter filter, Reply reply) {
    Q queue = model.queues.get(filter.queue());
    if (queue == null || !(reply instanceof Reply.ChangedPart changed)) {
      assertThat(reply).isInstanceOf(Reply.Refused.class);
      return;
    }
    List<Dead> again =
        queue.dead.stream()
            .filter(dead -> matches(dead, filter) && queue.groups.contains(dead.group))
            .toList();
    assertThat(changed.count()).isEqualTo(again.size());
    queue.dead.removeAll(again);
    for (Dead dead : again) {
      Part part = dead.message.part;
      dead.message.requeued = true;
      Share share = dead.message.share(dead.group);
      if (!part.messages.contains(dead.message)) {
        queue.groups.forEach(group -> dead.message.share(group).reset(State.DONE));
        part.messages.add(dead.message);
      }
      if (share.state != State.BACK && share.state != State.HELD) {
        share.reset(State.BACK);
        share.requeuedMs = model.nowMs;
        share.deliveries = dead.deliveries;
        share.visibleAtMs = model.nowMs;
        share.requeuedMs = model.nowMs;
      }
    }
  }

  void removeDead(DeadLetterFilter filter, Reply reply) {
    Q queue = model.queues.get(filter.queue());
    if (queue == null || !(reply instanceof Reply.ChangedPart changed)) {
      assertThat(reply).isInstanceOf(Reply.Refused.class);
      return;
    }
    int before = queue.dead.size();
    queue.dead.removeIf(dead -> matches(dead, filter));
    assertThat(changed.count()).isEqualTo(before - queue.dead.size());
  }

  void removeDead(Operation.RemoveDead remove, long count) {
    DeadLetterFilter filter = CommitPlan.filter(remove);
    removeDead(filter, new Reply.ChangedPart(count, -1));
    assertThat(count).isPositive();
  }

  /** Ages messages, and follows the engine in what it has dropped, if it may have. */
  void sweep() {
    for (Q queue : model.queues.values()) {
      long keptMs = queue.ms(QueueOption.DEAD_RETENTION);
      if (keptMs > 0) {
        queue.dead.removeIf(dead -> dead.diedMs + keptMs <= model.nowMs);
      }
      for (Part part : List.copyOf(queue.parts.values())) {
        for (Msg message : part.inOrder()) {
          queue.groups.forEach(group -> age(queue, message, group));
        }
        if (engine.partition(part.number) == null) {
          assertThat(part.messages)
              .as("what is lost with partition %s", part.name)
              .noneMatch(model::isStored);
          queue.parts.remove(part.name);
        }
      }
    }
  }

  private void age(Q queue, Msg message, String group) {
    Share share = message.share(group);
    if (share.state == State.WAITING && queue.isTooOld(message, model.nowMs)) {
      share.reset(State.DONE);
    } else if (share.state == State.WAITING && queue.waitedTooLong(message, model.nowMs)) {
      model.bury(message, group, 1);
    } else if (share.state == State.BACK && queue.isTooOld(message, share, model.nowMs)) {
      Partition partition = engine.partition(message.part.number);
      Group of = partition == null ? null : partition.queue.group(group);
      Subscription subscription =
          partition == null || of == null ? null : partition.subscription(of);
      if (subscription == null
          || Held.find(subscription, message.lane, message.seq).returned() == null) {
        share.reset(State.DONE);
      }
    }
  }

  static @Nullable MessageState told(Reply reply) {
    if (reply instanceof Reply.MovedMessage moved) {
      return moved.moved().state();
    }
    assertThat(((Reply.Refused) reply).refusal().code()).isEqualTo(ErrorCode.NOT_FOUND);
    return null;
  }
}
