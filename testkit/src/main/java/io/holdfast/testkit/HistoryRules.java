package io.holdfast.testkit;

import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.testkit.HistoryEvent.Granted;
import io.holdfast.testkit.HistoryEvent.Replayed;
import io.holdfast.testkit.HistoryEvent.SettleTried;
import io.holdfast.testkit.HistoryEvent.Span;
import io.holdfast.testkit.Violation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a history proves.
 *
 * <p>Invariant: every rule asks for something that no order of the overlapping calls can excuse.
 */
final class HistoryRules {
  private record Key(String group, UUID id) {}

  private record LaneKey(String group, long partition, int lane) {}

  /** A settle that ended one message for its group for good. */
  private record Final(Span span, Key key, String what) {}

  private final HistoryChecker.Order order;
  private final Map<UUID, Span> pushed = new HashMap<>();
  private int unanswered;
  private final Map<Key, List<Granted>> grants = new HashMap<>();
  private final Map<String, List<Granted>> grantsByLease = new HashMap<>();
  private final Map<String, List<SettleTried>> settlesByLease = new HashMap<>();
  private final Map<Key, List<SettleTried>> unfenced = new HashMap<>();
  private final Map<String, List<HistoryEvent.Extended>> extensions = new HashMap<>();
  private final Map<String, List<Replayed>> replays = new HashMap<>();
  private final Map<UUID, List<Span>> removals = new HashMap<>();
  private final List<Span> crashes = new ArrayList<>();
  private final Map<Key, List<Final>> finals = new HashMap<>();
  private final List<Violation> found = new ArrayList<>();

  HistoryRules(List<HistoryEvent> events, HistoryChecker.Order order) {
    this.order = order;
    events.forEach(this::index);
    settlesByLease.values().forEach(list -> list.forEach(this::indexFinal));
    unfenced.values().forEach(list -> list.forEach(this::indexFinal));
  }

  List<Violation> violations(Set<UUID> remaining) {
    grants.keySet().forEach(key -> neverPushed(key.id()));
    grants.forEach(this::heldTwice);
    grants.forEach(this::deliveredAfterAck);
    finals.forEach(this::ackedTwice);
    settlesByLease.values().forEach(list -> list.forEach(this::judgeSettle));
    if (order != HistoryChecker.Order.NONE) {
      grants.values().stream()
          .flatMap(List::stream)
          .collect(Collectors.groupingBy(HistoryRules::lane))
          .forEach((lane, list) -> outOfOrder(list));
    }
    lost(remaining);
    return found.stream().distinct().toList();
  }

  private void index(HistoryEvent event) {
    switch (event) {
      case HistoryEvent.Pushed push -> pushed.merge(push.id(), push.span(), HistoryRules::earlier);
      case HistoryEvent.PushUnanswered push -> unanswered += push.count();
      case Granted grant -> {
        Key key = new Key(grant.group(), grant.id());
        add(grants, key, grant);
        if (grant.settledAtDelivery()) {
          add(finals, key, new Final(grant.span(), key, "settled at delivery"));
        } else {
          add(grantsByLease, grant.leaseId(), grant);
        }
      }
      case SettleTried settle -> {
        if (settle.leaseId() != null) {
          add(settlesByLease, settle.leaseId(), settle);
        } else if (settle.group() != null && settle.id() != null) {
          add(unfenced, new Key(settle.group(), settle.id()), settle);
        }
      }
      case HistoryEvent.Extended extended -> add(extensions, extended.leaseId(), extended);
      case Replayed replay -> add(replays, replay.group(), replay);
      case HistoryEvent.Removed removed -> add(removals, removed.id(), removed.span());
      case HistoryEvent.Crashed crashed -> crashes.add(crashed.span());
    }
  }

  private void indexFinal(SettleTried settle) {
    if (!settle.forGood()) {
      return;
    }
    String what = settle.status() + " under lease " + settle.leaseId();
    if (settle.group() != null && settle.id() != null) {
      Key key = new Key(settle.group(), settle.id());
      add(finals, key, new Final(settle.span(), key, what));
    } else {
      for (Granted grant : coveredForCertain(settle)) {
        Key key = new Key(grant.group(), grant.id());
        add(finals, key, new Final(settle.span(), key, what));
      }
    }
  }

  /** What a settle of a whole lease must have ended, if it was right to be accepted. */
  private List<Granted> coveredForCertain(SettleTried whole) {
    List<Granted> covered = new ArrayList<>();
    for (Granted grant : of(grantsByLease, whole.leaseId())) {
      Key key = new Key(grant.group(), grant.id());
      boolean mayHaveLeftBefore =
          unfenced.containsKey(key)
              || removals.containsKey(grant.id())
              || replays.containsKey(grant.group())
              || !crashes.isEmpty()
              || of(settlesByLease, whole.leaseId()).stream()
                  .anyMatch(s -> !s.equals(whole) && s.mayHaveApplied() && concerns(s, grant));
      if (grant.span().before(whole.span()) && !mayHaveLeftBefore) {
        covered.add(grant);
      }
    }
    return covered;
  }

  private void neverPushed(UUID id) {
    if (!pushed.containsKey(id) && unanswered-- <= 0) {
      report(Kind.NEVER_PUSHED, "message %s was delivered, but nobody pushed it".formatted(id));
    }
  }

  private void heldTwice(Key key, List<Granted> list) {
    for (int i = 0; i < list.size(); i++) {
      for (int j = i + 1; j < list.size(); j++) {
        Granted one = list.get(i);
        Granted other = list.get(j);
        if (!mayFollow(one, other) && !mayFollow(other, one)) {
          report(
              Kind.HELD_TWICE,
              ("message %s was granted to group %s by lease %s %s and by lease %s %s, and neither"
                      + " had ended")
                  .formatted(
                      key.id(),
                      key.group(),
                      one.leaseId(),
                      one.span(),
                      other.leaseId(),
                      other.span()));
        }
      }
    }
  }

  /** Whether the second grant may be right: the first came before it and may have ended. */
  private boolean mayFollow(Granted first, Granted second) {
    Key key = new Key(first.group(), first.id());
    if (!first.span().mayPrecede(second.span())) {
      return false;
    }
    return first.settledAtDelivery()
        ? replayBetween(key, first.span(), second.span())
            || removedBetween(key, first.span(), second.span())
        : mayHaveEnded(first, second.span(), second.atMs(), null);
  }

  private boolean mayHaveEnded(Granted held, Span by, long atMs, @Nullable SettleTried except) {
    Key key = new Key(held.group(), held.id());
    return atMs >= earliestExpiry(held, by)
        || of(settlesByLease, held.leaseId()).stream()
            .filter(settle -> !settle.equals(except))
            .anyMatch(settle -> mayHaveEndedBy(settle, held, by))
        || of(unfenced, key).stream().anyMatch(settle -> mayHaveEndedBy(settle, held, by))
        || replayBetween(key, held.span(), by)
        || of(removals, held.id()).stream().anyMatch(span -> between(span, held.span(), by))
        || crashes.stream().anyMatch(span -> between(span, held.span(), by));
  }

  private static boolean mayHaveEndedBy(SettleTried settle, Granted held, Span by) {
    return settle.mayHaveApplied()
        && concerns(settle, held)
        && between(settle.span(), held.span(), by);
  }

  private long earliestExpiry(Granted held, Span by) {
    return of(extensions, held.leaseId()).stream()
        .filter(extended -> extended.span().before(by))
        .mapToLong(HistoryEvent.Extended::untilMs)
        .reduce(held.untilMs(), Math::max);
  }

  private void deliveredAfterAck(Key key, List<Granted> list) {
    for (Final ended : of(finals, key)) {
      for (Granted grant : list) {
        if (ended.span().before(grant.span())
            && !replayBetween(key, ended.span(), grant.span())
            && !removedBetween(key, ended.span(), grant.span())) {
          report(
              Kind.DELIVERED_AFTER_ACK,
              "message %s was %s for group %s %s, and granted again by lease %s %s"
                  .formatted(
                      key.id(),
                      ended.what(),
                      key.group(),
                      ended.span(),
                      grant.leaseId(),
                      grant.span()));
        }
      }
    }
  }

  private void ackedTwice(Key key, List<Final> list) {
    for (int i = 0; i < list.size(); i++) {
      for (int j = i + 1; j < list.size(); j++) {
        Span one = list.get(i).span();
        Span other = list.get(j).span();
        boolean excused =
            replayBetween(key, one, other)
                || replayBetween(key, other, one)
                || removedBetween(key, one, other)
                || removedBetween(key, other, one);
        if (!excused) {
          report(
              Kind.ACKED_TWICE,
              "message %s was settled twice for group %s: %s %s, and %s %s"
                  .formatted(
                      key.id(), key.group(), list.get(i).what(), one, list.get(j).what(), other));
        }
      }
    }
  }

  private void judgeSettle(SettleTried settle) {
    if (settle.id() == null) {
      if (settle.applied()) {
        coveredForCertain(settle).forEach(grant -> staleSettle(settle, grant.group(), grant.id()));
      }
    } else if (settle.group() != null) {
      if (settle.applied()) {
        staleSettle(settle, settle.group(), settle.id());
      } else if (settle.status() == SettleVerdict.Status.STALE_LEASE
          || settle.status() == SettleVerdict.Status.NOT_FOUND
          || settle.status() == SettleVerdict.Status.ALREADY_SETTLED) {
        refusedWithoutCause(settle, new Key(settle.group(), settle.id()));
      }
    }
  }

  private void staleSettle(SettleTried settle, String group, UUID id) {
    List<Granted> all = of(grants, new Key(group, id));
    List<Granted> own =
        all.stream().filter(grant -> grant.leaseId().equals(settle.leaseId())).toList();
    if (own.stream().noneMatch(grant -> grant.span().mayPrecede(settle.span()))) {
      report(
          Kind.STALE_SETTLE,
          "%s of message %s by group %s %s was accepted, but lease %s never held it"
              .formatted(settle.status(), id, group, settle.span(), settle.leaseId()));
      return;
    }
    for (Granted later : all) {
      if (!later.leaseId().equals(settle.leaseId())
          && (later.span().before(settle.span()) || excludes(settle, later))
          && own.stream().allMatch(grant -> grant.span().before(later.span()))) {
        report(
            Kind.STALE_SETTLE,
            ("%s of message %s by group %s under lease %s %s was accepted, but lease %s had been"
                    + " granted it since %s")
                .formatted(
                    settle.status(),
                    id,
                    group,
                    settle.leaseId(),
                    settle.span(),
                    later.leaseId(),
                    later.span()));
        return;
      }
    }
  }

  /** A settle for good and a later lease's grant cannot both be right, whichever came first. */
  private boolean excludes(SettleTried settle, Granted later) {
    Key key = new Key(later.group(), later.id());
    return settle.forGood()
        && !settle.span().before(later.span())
        && !replayBetween(key, settle.span(), later.span())
        && !removedBetween(key, settle.span(), later.span());
  }

  private void refusedWithoutCause(SettleTried settle, Key key) {
    for (Granted grant : of(grants, key)) {
      if (grant.leaseId().equals(settle.leaseId())
          && grant.span().before(settle.span())
          && !mayHaveEnded(grant, settle.span(), settle.atMs(), settle)) {
        report(
            Kind.REFUSED_WITHOUT_CAUSE,
            ("a settle of message %s by group %s under lease %s %s was answered %s, but nothing had"
                    + " ended its grant %s")
                .formatted(
                    key.id(),
                    key.group(),
                    settle.leaseId(),
                    settle.span(),
                    settle.status(),
                    grant.span()));
      }
    }
  }

  /** All grants of one lane to one group, of whatever message. */
  private void outOfOrder(List<Granted> lane) {
    List<Granted> byBegin =
        lane.stream().sorted(Comparator.comparingLong(grant -> grant.span().begin())).toList();
    List<Granted> byEnd =
        lane.stream().sorted(Comparator.comparingLong(grant -> grant.span().end())).toList();
    Map<Long, List<Granted>> bySeq =
        lane.stream().collect(Collectors.groupingBy(grant -> grant.position().seq()));
    TreeMap<Long, List<Granted>> done = new TreeMap<>();
    int next = 0;
    for (Granted grant : byBegin) {
      for (; next < byEnd.size() && byEnd.get(next).span().before(grant.span()); next++) {
        Granted past = byEnd.get(next);
        add(done, past.position().seq(), past);
      }
      List<Granted> same = of(bySeq, grant.position().seq());
      done.tailMap(grant.position().seq(), false).values().stream()
          .flatMap(List::stream)
          .filter(past -> overtook(past, grant, same))
          .findFirst()
          .ifPresent(past -> reportOvertaken(past, grant));
    }
    lane.stream()
        .collect(Collectors.groupingBy(Granted::span))
        .values()
        .forEach(this::outOfOrderInOneAnswer);
  }

  private boolean overtook(Granted past, Granted grant, List<Granted> same) {
    if (replays.containsKey(grant.group()) || removals.containsKey(grant.id())) {
      return false;
    }
    return switch (order) {
      case BLOCK -> same.stream().noneMatch(g -> heldTogether(g, past));
      case SKIP -> same.stream().allMatch(g -> past.span().before(g.span()));
      case NONE -> false;
    };
  }

  private static boolean heldTogether(Granted one, Granted other) {
    return other.settledAtDelivery()
        ? one.span().equals(other.span())
        : one.leaseId().equals(other.leaseId());
  }

  private void outOfOrderInOneAnswer(List<Granted> answer) {
    List<Granted> listed = answer.stream().sorted(Comparator.comparingInt(Granted::index)).toList();
    for (int i = 1; i < listed.size(); i++) {
      if (listed.get(i).position().seq() <= listed.get(i - 1).position().seq()) {
        reportOvertaken(listed.get(i - 1), listed.get(i));
      }
    }
  }

  private void reportOvertaken(Granted past, Granted grant) {
    report(
        Kind.OUT_OF_ORDER,
        ("in partition %s, lane %s, group %s was granted seq %s by lease %s %s before seq %s by"
                + " lease %s %s")
            .formatted(
                grant.position().partition(),
                grant.position().lane(),
                grant.group(),
                past.position().seq(),
                past.leaseId(),
                past.span(),
                grant.position().seq(),
                grant.leaseId(),
                grant.span()));
  }

  private void lost(Set<UUID> remaining) {
    Set<String> groups =
        grants.keySet().stream().map(Key::group).collect(Collectors.toCollection(HashSet::new));
    for (Map.Entry<UUID, Span> push : pushed.entrySet()) {
      UUID id = push.getKey();
      if (remaining.contains(id) || removals.containsKey(id)) {
        continue;
      }
      if (groups.isEmpty()) {
        report(Kind.LOST, "message %s, pushed %s, is gone".formatted(id, push.getValue()));
      }
      for (String group : groups) {
        if (!mayBeOver(new Key(group, id), push.getValue())) {
          report(
              Kind.LOST,
              "message %s, pushed %s, was never settled by group %s, and is gone"
                  .formatted(id, push.getValue(), group));
        }
      }
    }
  }

  private boolean mayBeOver(Key key, Span push) {
    return finals.containsKey(key)
        || of(unfenced, key).stream().anyMatch(SettleTried::mayHaveApplied)
        || of(replays, key.group()).stream()
            .anyMatch(replay -> concerns(replay, key) && push.mayPrecede(replay.span()))
        || of(grants, key).stream()
            .anyMatch(
                grant ->
                    of(settlesByLease, grant.leaseId()).stream()
                        .anyMatch(
                            settle ->
                                concerns(settle, grant)
                                    && (settle.status() == null
                                        || (settle.id() == null && settle.forGood()))));
  }

  private boolean replayBetween(Key key, Span from, Span to) {
    return of(replays, key.group()).stream()
        .anyMatch(replay -> concerns(replay, key) && between(replay.span(), from, to));
  }

  private boolean removedBetween(Key key, Span from, Span to) {
    return of(removals, key.id()).stream().anyMatch(span -> between(span, from, to));
  }

  private static boolean concerns(Replayed replay, Key key) {
    return replay.id() == null || replay.id().equals(key.id());
  }

  private static boolean concerns(SettleTried settle, Granted grant) {
    return settle.rest() || settle.id() == null || settle.id().equals(grant.id());
  }

  /** Whether something may have happened after one call and before another. */
  private static boolean between(Span what, Span from, Span to) {
    return from.mayPrecede(what) && what.mayPrecede(to);
  }

  private static Span earlier(Span one, Span other) {
    return one.begin() <= other.begin() ? one : other;
  }

  private static LaneKey lane(Granted grant) {
    return new LaneKey(grant.group(), grant.position().partition(), grant.position().lane());
  }

  private static <K, V> void add(Map<K, List<V>> map, K key, V value) {
    map.computeIfAbsent(key, ignored -> new ArrayList<>()).add(value);
  }

  private static <K, V> List<V> of(Map<K, List<V>> map, @Nullable K key) {
    List<V> list = key == null ? null : map.get(key);
    return list == null ? List.of() : list;
  }

  private void report(Kind kind, String detail) {
    found.add(new Violation(kind, detail));
  }
}
