package io.holdfast.bench.crash;

import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.SettleVerdict.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a partition, its journal and its record must hold after the steps of the one worker that
 * uses it.
 *
 * <p>Invariant: there is a lease exactly if there are held messages.
 */
final class PartitionModel {
  /** A delay from which on a message does not become due during a run. */
  static final long FAR_MS = 60_000;

  /** Where a message is. */
  enum State {
    /** It will be delivered, now or when it is due. */
    OPEN,
    HELD,
    ACKED,
    DEAD
  }

  /**
   * A message.
   *
   * @param id null if its push was not answered
   * @param delayMs how long it was delayed
   * @param notBeforeMs when it is due; 0 for at once
   */
  record Entry(
      @Nullable UUID id, boolean named, long delayMs, long notBeforeMs, State state, int failures) {
    Entry state(State next) {
      return new Entry(id, named, delayMs, notBeforeMs, next, failures);
    }

    Entry failed(State next) {
      return new Entry(id, named, delayMs, notBeforeMs, next, failures + 1);
    }

    boolean far() {
      return delayMs >= FAR_MS;
    }

    /** Whether it must come when everything is popped. */
    boolean deliverable() {
      return state == State.HELD || (state == State.OPEN && !far());
    }
  }

  private final Map<String, Entry> messages = new LinkedHashMap<>();
  private @Nullable String lease;
  private long commits;

  PartitionModel copy() {
    PartitionModel copy = new PartitionModel();
    copy.messages.putAll(messages);
    copy.lease = lease;
    copy.commits = commits;
    return copy;
  }

  Map<String, Entry> messages() {
    return messages;
  }

  @Nullable String lease() {
    return lease;
  }

  long held() {
    return messages.values().stream().filter(entry -> entry.state() == State.HELD).count();
  }

  /** How many commits there were: the length of the journal and the value of the record. */
  long commits() {
    return commits;
  }

  /**
   * Takes in a step that was answered.
   *
   * @param answer the words of the answer
   * @return what was wrong with it
   */
  List<String> done(Step step, List<String> answer) {
    List<String> wrong = new ArrayList<>();
    switch (step) {
      case Step.Push push -> push(push, answer);
      case Step.Pop pop -> {
        pop.acks().forEach(name -> move(name, State.ACKED));
        grant(answer, wrong);
      }
      case Step.SettleHeld settle -> {
        for (int i = 0; i < settle.names().size(); i++) {
          settled(settle.names().get(i), Status.valueOf(answer.get(i)));
        }
      }
      case Step.Commit commit -> commit(commit, UUID.fromString(answer.get(0)));
      case Step.Transaction both -> transact(both, answer);
      case Step.Extend extend -> {}
      case Step.WrongCommit refused -> {}
    }
    dropEmptyLease();
    return wrong;
  }

  /** Takes in a step that was not answered, as if it had been done. */
  void assumeDone(Step step) {
    switch (step) {
      case Step.Push push -> push(push, List.of());
      // What an unknown lease took is given back before anybody looks.
      case Step.Pop pop -> pop.acks().forEach(name -> move(name, State.ACKED));
      case Step.SettleHeld settle -> settle.names().forEach(name -> assume(name, settle.outcome()));
      case Step.Commit commit -> commit(commit, null);
      case Step.Transaction both -> transact(both, List.of());
      case Step.Extend extend -> {}
      case Step.WrongCommit refused -> {}
    }
    dropEmptyLease();
  }

  private void push(Step.Push push, List<String> ids) {
    for (int i = 0; i < push.items().size(); i++) {
      Step.Push.Item item = push.items().get(i);
      UUID id = ids.isEmpty() ? null : UUID.fromString(ids.get(i));
      long due = item.delayMs() == 0 ? 0 : push.atMs() + item.delayMs();
      messages.put(item.name(), new Entry(id, item.named(), item.delayMs(), due, State.OPEN, 0));
    }
  }

  /** The answer of a pop: the lease, the wall clock after it, and the names. */
  private void grant(List<String> answer, List<String> wrong) {
    List<String> names = answer.subList(2, answer.size());
    long atMs = Long.parseLong(answer.get(1));
    for (String name : names) {
      Entry entry = messages.get(name);
      if (entry == null) {
        wrong.add(name + " was delivered, but nobody pushed it");
        continue;
      }
      if (entry.state() != State.OPEN) {
        wrong.add(name + " was delivered, but it is " + entry.state());
      }
      if (atMs + Judge.CLOCK_SLACK_MS < entry.notBeforeMs()) {
        wrong.add(name + " was delivered " + (entry.notBeforeMs() - atMs) + " ms early");
      }
      messages.put(name, entry.state(State.HELD));
    }
    lease = names.isEmpty() ? null : answer.get(0);
  }

  private void settled(String name, Status status) {
    switch (status) {
      case ACKED -> move(name, State.ACKED);
      case RELEASED -> move(name, State.OPEN);
      case RETRYING -> messages.computeIfPresent(name, (n, entry) -> entry.failed(State.OPEN));
      case DEAD -> messages.computeIfPresent(name, (n, entry) -> entry.failed(State.DEAD));
      default -> throw new IllegalArgumentException("answer: expected no " + status);
    }
  }

  private void assume(String name, Outcome outcome) {
    Entry entry = messages.get(name);
    boolean last = entry != null && entry.failures() >= CrashQueues.RETRY_LIMIT;
    settled(
        name,
        switch (outcome) {
          case ACK -> Status.ACKED;
          case RELEASE -> Status.RELEASED;
          case NACK -> last ? Status.DEAD : Status.RETRYING;
          case KILL -> Status.DEAD;
        });
  }

  private void commit(Step.Commit commit, @Nullable UUID pushed) {
    move(commit.ack(), State.ACKED);
    messages.put(commit.push(), new Entry(pushed, false, 0, 0, State.OPEN, 0));
    commits = commit.position() + 1;
  }

  private void transact(Step.Transaction both, List<String> ids) {
    both.acks().forEach(name -> move(name, State.ACKED));
    for (int i = 0; i < both.pushes().size(); i++) {
      UUID id = ids.isEmpty() ? null : UUID.fromString(ids.get(i));
      messages.put(both.pushes().get(i), new Entry(id, false, 0, 0, State.OPEN, 0));
    }
  }

  private void move(String name, State state) {
    messages.computeIfPresent(name, (n, entry) -> entry.state(state));
  }

  private void dropEmptyLease() {
    if (held() == 0) {
      lease = null;
    }
  }

  static List<String> words(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(" "));
  }
}
