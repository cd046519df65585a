package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Reply.PushedMessages.Duplicate;
import io.holdfast.engine.command.Reply.PushedMessages.Run;
import io.holdfast.engine.logic.Model.Msg;
import io.holdfast.engine.logic.Model.Part;
import io.holdfast.engine.logic.Model.Q;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What pushes should say and do, by the model. */
final class ModelPush {
  private final Model model;

  ModelPush(Model model) {
    this.model = model;
  }

  void judge(Command.PushMessages push, Reply reply) {
    if (reply instanceof Reply.Refused refused) {
      assertThat(refused.refusal().code()).isEqualTo(ErrorCode.FULL);
      Q queue = model.queue(push.lanes().getFirst().queue());
      long maxSize = queue.options.number(QueueOption.MAX_SIZE);
      assertThat(maxSize).isPositive();
      if (!queue.groups.isEmpty()) {
        assertThat(unsettled(queue) + push.count()).isGreaterThan(maxSize);
      }
      return;
    }
    Reply.PushedMessages pushed = (Reply.PushedMessages) reply;
    Map<Integer, Duplicate> duplicates = new HashMap<>();
    pushed.duplicates().forEach(duplicate -> duplicates.put(duplicate.item(), duplicate));
    checkDuplicates(push, duplicates);
    int run = 0;
    long fresh = 0;
    Q queue = model.queue(push.lanes().getFirst().queue());
    long before = unsettled(queue);
    for (Packed packed : push.lanes()) {
      int count = 0;
      for (int item : packed.items()) {
        count += duplicates.containsKey(item) ? 0 : 1;
      }
      if (count > 0) {
        store(packed, pushed.runs().get(run++), duplicates.keySet());
        fresh += count;
      }
    }
    assertThat(pushed.runs()).hasSize(run);
    long maxSize = queue.options.number(QueueOption.MAX_SIZE);
    if (maxSize > 0 && fresh > 0 && !queue.groups.isEmpty()) {
      assertThat(before + fresh).as("what queue %s holds", queue.name).isLessThanOrEqualTo(maxSize);
    }
  }

  private long unsettled(Q queue) {
    long most = 0;
    for (String group : queue.groups) {
      long lag =
          model.count(queue, group, Model.State.WAITING)
              + model.count(queue, group, Model.State.BACK)
              + model.count(queue, group, Model.State.HELD);
      most = Math.max(most, lag);
    }
    return most + model.delayed(queue);
  }

  private void checkDuplicates(Command.PushMessages push, Map<Integer, Duplicate> duplicates) {
    Set<String> here = new HashSet<>();
    for (Packed packed : push.lanes()) {
      for (int i = 0; i < packed.items().length; i++) {
        String name = packed.names().isEmpty() ? null : packed.names().get(i);
        Duplicate duplicate = duplicates.get(packed.items()[i]);
        Msg known = name == null ? null : known(packed, name);
        boolean twice = name != null && here.contains(packed.partition() + "/" + name);
        if (known != null && isRemembered(known)) {
          assertThat(duplicate).as("a second %s", name).isNotNull();
        } else if (known == null && !twice) {
          assertThat(duplicate).as("a first %s", name).isNull();
        }
        if (duplicate != null && known != null && !twice) {
          assertThat(duplicate.id())
              .isEqualTo(MessageId.uuid(known.createdMs, known.part.number, known.idSeq));
        }
        if (name != null && duplicate == null) {
          assertThat(here.add(packed.partition() + "/" + name)).as("one %s", name).isTrue();
        }
      }
    }
  }

  private @Nullable Msg known(Packed packed, String name) {
    Q queue = model.queues.get(packed.queue());
    Part part = queue == null ? null : queue.parts.get(packed.partition());
    return part == null ? null : part.names.get(name);
  }

  private boolean isRemembered(Msg message) {
    long windowMs = message.part.queue.ms(QueueOption.DEDUP_WINDOW);
    return (!message.unsure && message.createdMs + windowMs > model.nowMs)
        || (!message.requeued && model.isStored(message));
  }

  private void store(Packed packed, Run run, Set<Integer> dropped) {
    Part part = part(packed, run.partition(), run.firstSeq());
    int at = 0;
    for (int i = 0; i < packed.items().length; i++) {
      if (!dropped.contains(packed.items()[i])) {
        assertThat(run.items()[at++]).isEqualTo(packed.items()[i]);
        add(part, packed, packed.names().isEmpty() ? null : packed.names().get(i));
      }
    }
  }

  /** Follows one push of a commit. */
  void follow(Packed packed, int item, PushedMessage pushed) {
    String name = packed.names().isEmpty() ? null : packed.names().get(item);
    Msg known = name == null ? null : known(packed, name);
    if (!pushed.duplicate()) {
      assertThat(known == null || !isRemembered(known)).as("a first %s", name).isTrue();
      MessageId id = MessageId.of(pushed.id());
      add(part(packed, pushed.partition(), id.seq()), packed, name);
    } else if (known != null) {
      assertThat(pushed.id())
          .isEqualTo(MessageId.uuid(known.createdMs, known.part.number, known.idSeq));
    }
  }

  private Part part(Packed packed, long number, long firstSeq) {
    Q queue = model.queue(packed.queue());
    Part part =
        queue.parts.computeIfAbsent(
            packed.partition(), name -> new Part(queue, packed.partition(), number));
    assertThat(number).as("the partition of the ids").isEqualTo(part.number);
    assertThat(firstSeq).as("the seq of the ids").isEqualTo(part.nextSeq);
    return part;
  }

  private void add(Part part, Packed packed, @Nullable String name) {
    part.lastPushMs = model.nowMs;
    Msg message = new Msg(part, packed.lane(), part.nextSeq++, model.nowMs, name);
    long dueMs = packed.delayMs() > 0 ? model.nowMs + packed.delayMs() : packed.visibleAtMs();
    if (dueMs > model.nowMs) {
      message.dueMs = dueMs;
    } else {
      model.entering(part);
      message.seq = message.idSeq;
      message.enteredMs = model.nowMs;
      model.passEarly(message);
    }
    part.messages.add(message);
    if (name != null) {
      part.names.put(name, message);
    }
  }
}
