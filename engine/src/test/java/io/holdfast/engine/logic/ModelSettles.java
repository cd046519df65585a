package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Target;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.logic.Model.Grant;
import io.holdfast.engine.logic.Model.Item;
import io.holdfast.engine.logic.Model.Msg;
import io.holdfast.engine.logic.Model.Part;
import io.holdfast.engine.logic.Model.Q;
import io.holdfast.engine.logic.Model.Share;
import io.holdfast.engine.logic.Model.State;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What settles should say and do, by the model. */
final class ModelSettles {
  private final Model model;

  ModelSettles(Model model) {
    this.model = model;
  }

  void judgeAtomic(List<Settle> settles, List<SettleVerdict> verdicts) {
    if (verdicts.stream().allMatch(SettleVerdict::applied)) {
      judge(settles, verdicts);
      return;
    }
    assertThat(verdicts).noneMatch(SettleVerdict::applied);
    assertThat(verdicts).anyMatch(verdict -> verdict.status() != Status.NOT_APPLIED);
  }

  void judge(List<Settle> settles, List<SettleVerdict> verdicts) {
    assertThat(verdicts).hasSameSizeAs(settles);
    for (int i = 0; i < settles.size(); i++) {
      judge(settles.get(i), verdicts.get(i));
    }
    List.copyOf(model.grants.values()).forEach(model::end);
  }

  private void judge(Settle settle, SettleVerdict verdict) {
    switch (settle.target()) {
      case Target.Held held ->
          judgeHeld(
              settle,
              held.handle().leaseId(),
              held.handle().position().partition(),
              held.handle().position().seq(),
              verdict);
      case Target.WholeLease whole -> judgeWhole(settle, whole.leaseId(), verdict);
      case Target.HeldByName named -> {
        Part part = model.part(named.partition());
        Msg message = part == null ? null : part.names.get(named.transactionId());
        boolean found = message != null && model.isStored(message) && !message.requeued;
        if (message == null || (!found && verdict.status() == Status.NOT_FOUND)) {
          assertThat(verdict.status()).isEqualTo(Status.NOT_FOUND);
        } else {
          judgeHeld(settle, named.leaseId(), named.partition(), seqOf(named, message), verdict);
        }
      }
      case Target.Unfenced unfenced ->
          judgeUnfenced(settle, unfenced.group(), unfenced.message(), verdict);
    }
  }

  /** Where a message stands, but for a lease that took it before it was moved, where it stood. */
  private long seqOf(Target.HeldByName named, Msg message) {
    Grant live = model.live(LeaseId.number(named.leaseId()));
    boolean unmoved =
        live != null
            && live.items.stream().anyMatch(each -> each.isAt(named.partition(), message.idSeq));
    return unmoved || message.isDelayed() ? message.idSeq : message.seq;
  }

  private void judgeHeld(
      Settle settle, String leaseId, long partition, long seq, SettleVerdict verdict) {
    Grant grant = model.grants.get(LeaseId.number(leaseId));
    Item item = null;
    if (grant != null && (grant.isLive() || grant.rememberedMs > model.nowMs)) {
      for (Item each : grant.items) {
        item = each.isAt(partition, seq) ? each : item;
      }
    }
    if (grant == null || item == null) {
      assertThat(verdict.status()).isEqualTo(Status.STALE_LEASE);
    } else if (item.status != Items.OPEN) {
      assertThat(verdict.status()).isEqualTo(Settlement.afterwards(item.status));
    } else {
      assertThat(verdict).isEqualTo(settle(settle, grant, item));
    }
  }

  private SettleVerdict settle(Settle settle, Grant grant, Item item) {
    SettleVerdict verdict = settle(settle, grant.group, item.message, item);
    int count = 1;
    if (settle.rest()) {
      for (Item later : grant.items.subList(grant.items.indexOf(item) + 1, grant.items.size())) {
        if (later.status == Items.OPEN && later.message.part == item.message.part) {
          later.status = Items.GIVEN_BACK;
          model.back(later.message.share(grant.group), model.nowMs);
          count++;
        }
      }
    }
    return new SettleVerdict(
        verdict.status(), count, verdict.failures(), verdict.visibleAtMs(), grant.open() == 0);
  }

  private SettleVerdict settle(Settle settle, String group, Msg message, @Nullable Item item) {
    Share share = message.share(group);
    if (item != null) {
      item.status = settle.outcome() == Settle.Outcome.RELEASE ? Items.GIVEN_BACK : Items.SETTLED;
    }
    return switch (settle.outcome()) {
      case ACK -> {
        int failures = share.failures;
        share.reset(State.DONE);
        yield new SettleVerdict(Status.ACKED, 1, failures, 0);
      }
      case RELEASE -> {
        model.back(share, model.nowMs + Math.max(0, settle.delayMs()));
        yield new SettleVerdict(Status.RELEASED, 1, share.failures, share.visibleAtMs);
      }
      case KILL -> bury(message, group, share);
      case NACK -> {
        share.failures++;
        Q queue = message.part.queue;
        if (share.failures > queue.options.number(QueueOption.RETRY_LIMIT)) {
          yield bury(message, group, share);
        }
        long waitMs = settle.delayMs() >= 0 ? settle.delayMs() : backoffMs(queue, share.failures);
        model.back(share, model.nowMs + waitMs);
        yield new SettleVerdict(Status.RETRYING, 1, share.failures, share.visibleAtMs);
      }
    };
  }

  private static long backoffMs(Q queue, int failures) {
    double wait =
        (double) queue.options.number(QueueOption.RETRY_DELAY)
            * Math.pow((double) queue.options.number(QueueOption.RETRY_FACTOR), failures - 1);
    return (long) Math.min(wait, (double) queue.options.number(QueueOption.RETRY_DELAY_MAX));
  }

  private SettleVerdict bury(Msg message, String group, Share share) {
    int failures = share.failures;
    model.bury(message, group, share.deliveries + 1);
    Status status = message.part.queue.keepsDead() ? Status.DEAD : Status.DROPPED;
    return new SettleVerdict(status, 1, failures, 0);
  }

  private void judgeWhole(Settle settle, String leaseId, SettleVerdict verdict) {
    Grant grant = model.live(LeaseId.number(leaseId));
    if (grant == null || grant.open() == 0) {
      assertThat(verdict.status()).isIn(Status.ALREADY_SETTLED, Status.STALE_LEASE);
      return;
    }
    Set<Part> parts = new LinkedHashSet<>();
    grant.items.forEach(item -> parts.add(item.message.part));
    int count = 0;
    SettleVerdict last = verdict;
    for (Part part : parts) {
      for (Item item : List.copyOf(grant.items)) {
        if (item.status == Items.OPEN && item.message.part == part) {
          last = settle(settle, grant.group, item.message, item);
          count++;
        }
      }
    }
    assertThat(verdict)
        .isEqualTo(
            new SettleVerdict(last.status(), count, last.failures(), last.visibleAtMs(), true));
  }

  private void judgeUnfenced(Settle settle, String group, MessageRef ref, SettleVerdict verdict) {
    Msg message = model.find(ref);
    if (message == null || !message.part.queue.groups.contains(group)) {
      assertThat(verdict.status()).isEqualTo(Status.NOT_FOUND);
      return;
    }
    Share share = message.share(group);
    if (message.part.queue.options.flag(QueueOption.REQUIRE_LEASE)) {
      assertThat(verdict.status()).isIn(Status.LEASE_REQUIRED, Status.NOT_FOUND);
    } else if (message.isDelayed()
        || share.state == State.DONE
        || share.state == State.WAITING
        || (share.state == State.BACK && share.ahead)
        || (!model.isFound(ref, message) && verdict.status() == Status.NOT_FOUND)) {
      assertThat(verdict.status()).isEqualTo(Status.NOT_FOUND);
    } else if (share.state == State.BACK) {
      assertThat(verdict).isEqualTo(settle(settle, group, message, null));
    } else {
      Grant grant = holder(message, group);
      Item item =
          grant.items.stream()
              .filter(each -> each.message == message && each.status == Items.OPEN)
              .findFirst()
              .orElseThrow();
      assertThat(verdict).isEqualTo(settle(settle, grant, item));
    }
  }

  private Grant holder(Msg message, String group) {
    return model.grants.values().stream()
        .filter(grant -> grant.isLive() && grant.group.equals(group))
        .filter(
            grant ->
                grant.items.stream()
                    .anyMatch(item -> item.message == message && item.status == Items.OPEN))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Notes which messages were rescheduled before a group came to them: only the engine knows how
   * far the group has come. The settles of the next command see this, before its pop moves on.
   */
  static void noteAhead(Model model, ShardState engine) {
    for (Q queue : model.queues.values()) {
      for (Part part : queue.parts.values()) {
        for (Msg message : part.messages) {
          message.shares.forEach(
              (group, share) ->
                  share.ahead = share.state == State.BACK && isAhead(engine, message, group));
        }
      }
    }
  }

  private static boolean isAhead(ShardState engine, Msg message, String group) {
    Partition partition = engine.partition(message.part.number);
    Group of = partition == null ? null : partition.queue.group(group);
    Subscription subscription = partition == null || of == null ? null : partition.subscription(of);
    LaneCursor cursor = subscription == null ? null : subscription.cursor(message.lane);
    return cursor == null || message.seq >= cursor.nextSeq;
  }
}
