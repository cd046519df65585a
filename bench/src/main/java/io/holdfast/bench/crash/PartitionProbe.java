package io.holdfast.bench.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.bench.crash.CrashQueues.Place;
import io.holdfast.bench.crash.PartitionFacts.Delivered;
import io.holdfast.bench.crash.PartitionModel.Entry;
import io.holdfast.bench.crash.PartitionModel.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Finds out what a broker holds in one worker's partition, by using it as a consumer would: after
 * {@link #facts} the partition is empty.
 */
final class PartitionProbe {
  private static final long LEASE_MS = 600_000;
  private static final long POP_WAIT_MS = 20;
  private static final long DUE_GRACE_MS = 500;
  private static final long DRAIN_MS_MAX = 60_000;
  private static final int BATCH = 500;
  private static final int PAGE = 1_000;

  private final Broker broker;
  private final Ledger ledger;
  private final Place place;
  private final List<String> troubles = new ArrayList<>();

  PartitionProbe(Broker broker, Ledger ledger) {
    this.broker = broker;
    this.ledger = ledger;
    this.place = ledger.place();
  }

  /** How many open messages the lease holds that was live at the kill; changes nothing. */
  int leaseOpen() {
    String lease = ledger.sure().lease();
    if (lease == null) {
      return 0;
    }
    Result<Extended> extended = broker.extend(ExtendRequest.of(lease, LEASE_MS));
    return extended.isOk() ? extended.orThrow().open() : 0;
  }

  PartitionFacts facts() {
    int open = leaseOpen();
    giveBack();
    Set<String> far = cancelFar();
    List<Delivered> delivered = drain();
    return new PartitionFacts(
        open, delivered, far, findDead(), pushNamedAgain(), journal(), record(), troubles);
  }

  /** Ends the lease that is known, and one that a pop in doubt may have made. */
  private void giveBack() {
    String lease = ledger.sure().lease();
    if (lease != null) {
      broker.settle(SettleRequest.of(Settle.releaseAll(lease))).orThrow();
    }
    if (ledger.inDoubt() instanceof Step.Pop) {
      List<Settle> releases = new ArrayList<>();
      for (Entry entry : ledger.sure().messages().values()) {
        UUID id = entry.id();
        if (id != null && entry.deliverable()) {
          releases.add(Settle.unfenced(PopRequest.QUEUE_MODE, id, Outcome.RELEASE, null));
        }
      }
      for (int from = 0; from < releases.size(); from += BATCH) {
        int to = Math.min(releases.size(), from + BATCH);
        broker.settle(SettleRequest.of(releases.subList(from, to))).orThrow();
      }
    }
  }

  private Set<String> cancelFar() {
    Set<String> found = new HashSet<>();
    for (Map.Entry<String, Entry> message : ledger.sure().messages().entrySet()) {
      UUID id = message.getValue().id();
      if (message.getValue().far()
          && id != null
          && broker.cancel(CancelRequest.of(MessageRef.id(id))).isOk()) {
        found.add(message.getKey());
      }
    }
    return found;
  }

  private List<Delivered> drain() {
    List<Delivered> delivered = new ArrayList<>();
    Map<String, Entry> awaited = new HashMap<>(ledger.ifDone().messages());
    awaited.values().removeIf(entry -> !entry.deliverable());
    long dueMs = awaited.values().stream().mapToLong(Entry::notBeforeMs).max().orElse(0);
    long giveUpMs = System.currentTimeMillis() + DRAIN_MS_MAX;
    PopRequest pop = PopRequest.partition(place.queue(), place.partition()).batch(BATCH);
    while (true) {
      // Before the pop: afterwards a message may be due that this pop was too early for.
      boolean complete = awaited.isEmpty() || System.currentTimeMillis() > dueMs + DUE_GRACE_MS;
      Popped popped = broker.pop(pop).orThrow();
      long nowMs = System.currentTimeMillis();
      if (!popped.isEmpty()) {
        popped.messages().forEach(delivery -> delivered.add(delivered(delivery, nowMs)));
        broker.settle(SettleRequest.of(Settle.ackAll(popped.leaseId()))).orThrow();
        delivered.forEach(delivery -> awaited.remove(delivery.name()));
      } else if (popped.reason() == Popped.Reason.EMPTY && complete) {
        return delivered;
      } else if (nowMs > giveUpMs) {
        troubles.add("the partition cannot be emptied: " + popped.reason());
        return delivered;
      } else {
        pop = pop.waitMs(POP_WAIT_MS);
      }
    }
  }

  private static Delivered delivered(Delivery delivery, long nowMs) {
    return new Delivered(
        new String(delivery.message().payload(), UTF_8),
        delivery.failures(),
        delivery.message().position().seq(),
        nowMs);
  }

  private Set<String> findDead() {
    Set<String> found = new HashSet<>();
    ledger
        .ifDone()
        .messages()
        .forEach(
            (name, entry) -> {
              UUID id = entry.id();
              if (entry.state() == State.DEAD && id != null && isDead(id)) {
                found.add(name);
              }
            });
    return found;
  }

  private boolean isDead(UUID id) {
    DeadLetterFilter filter = DeadLetterFilter.queue(place.queue()).message(id);
    return broker.deadLetters(DeadLettersRequest.of(filter)).orThrow().total() == 1;
  }

  /** Repeats named pushes; answers the names that were not called duplicates of the first. */
  private Set<String> pushNamedAgain() {
    Set<String> forgotten = new HashSet<>();
    List<String> names = new ArrayList<>();
    List<NewMessage> messages = new ArrayList<>();
    ledger
        .sure()
        .messages()
        .forEach(
            (name, entry) -> {
              if (entry.named() && !entry.far() && messages.size() < BATCH) {
                names.add(name);
                messages.add(
                    NewMessage.to(place.queue(), name.getBytes(UTF_8))
                        .partition(place.partition())
                        .transactionId(name));
              }
            });
    if (messages.isEmpty()) {
      return forgotten;
    }
    List<PushedMessage> pushed = broker.push(PushRequest.of(messages)).orThrow().messages();
    for (int i = 0; i < names.size(); i++) {
      Entry entry = ledger.sure().messages().get(names.get(i));
      UUID first = entry == null ? null : entry.id();
      if (!pushed.get(i).duplicate() || !pushed.get(i).id().equals(first)) {
        forgotten.add(names.get(i));
      }
    }
    return forgotten;
  }

  private List<String> journal() {
    List<String> events = new ArrayList<>();
    while (true) {
      Result<JournalPage> read =
          broker.journal(new JournalRequest(place.journal(), events.size(), PAGE));
      if (!read.isOk() || read.orThrow().events().isEmpty()) {
        return events;
      }
      read.orThrow().events().forEach(event -> events.add(new String(event, UTF_8)));
    }
  }

  private String record() {
    return new String(broker.record(RecordRequest.of(place.journal())).orThrow().value(), UTF_8);
  }
}
