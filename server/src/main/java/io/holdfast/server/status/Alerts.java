package io.holdfast.server.status;

import io.holdfast.api.Broker;
import io.holdfast.api.Refusal;
import io.holdfast.api.Stats;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.server.http.Pages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what somebody should look at, and remembers for a while which queues had deaths.
 *
 * <p>Thread: one at a time, the one that takes a sample.
 */
final class Alerts {
  /** Most of one kind that are told. */
  static final int EACH_MAX = 20;

  /** Most queues that are behind whose groups are asked for. */
  private static final int GROUPS_ASKED_MAX = 10;

  /** How long after the last death dead letters count as growing. */
  private static final long DEATHS_MS = 600_000;

  /** Most queues whose deaths are remembered. */
  private static final int DEATHS_MAX = 1_000;

  /** How often the flows are asked for. */
  private static final long FLOWS_MS = 30_000;

  private static final long DISK_FREE_MIN = 1L << 30;
  private static final double DISK_FREE_SHARE = 0.05;

  /** Deaths of a queue that go on. */
  private record Deaths(long sinceMs, long lastMs, long count) {}

  private final Broker broker;
  private final LongSupplier blockedFlows;
  private final Map<String, Deaths> deaths = new HashMap<>();
  private long flowsAskedMs = Long.MIN_VALUE;
  private long blocked;

  /**
   * @param blockedFlows asks how many flows cannot go on by themselves
   */
  Alerts(Broker broker, LongSupplier blockedFlows) {
    this.broker = broker;
    this.blockedFlows = blockedFlows;
  }

  List<Attention> of(Stats now, List<QueueRow> rows, @Nullable Sample before, Machine machine) {
    long nowMs = now.nowMs();
    count(nowMs, rows, before);
    return Stream.of(
            disk(machine), clock(now), flows(nowMs), growing(), lagging(nowMs, rows), paused(rows))
        .flatMap(found -> found)
        .toList();
  }

  static Attention stopped(Refusal refusal) {
    return Attention.of(Attention.Kind.STOPPED, "The broker takes no work: " + refusal.detail(), 0);
  }

  private static Stream<Attention> disk(Machine machine) {
    long free = machine.diskFreeBytes();
    if (free < 0 || (free >= DISK_FREE_MIN && free >= machine.diskTotalBytes() * DISK_FREE_SHARE)) {
      return Stream.empty();
    }
    String text = "Only " + free / (1 << 20) + " MiB are left on the disk of the data.";
    return Stream.of(Attention.of(Attention.Kind.DISK_LOW, text, free));
  }

  private static Stream<Attention> clock(Stats now) {
    String warning = ClockWarning.of(now);
    return warning == null
        ? Stream.empty()
        : Stream.of(Attention.of(Attention.Kind.CLOCK, warning, 0));
  }

  private Stream<Attention> flows(long nowMs) {
    if (nowMs - FLOWS_MS >= flowsAskedMs) {
      flowsAskedMs = nowMs;
      blocked = blockedFlows.getAsLong();
    }
    if (blocked == 0) {
      return Stream.empty();
    }
    String text =
        counted(blocked, "flow")
            + (blocked == 1
                ? " is blocked and needs attention"
                : " are blocked and need attention");
    return Stream.of(Attention.of(Attention.Kind.BLOCKED_FLOWS, text, blocked));
  }

  /** Counts the deaths since the last sample. */
  private void count(long nowMs, List<QueueRow> rows, @Nullable Sample before) {
    deaths.values().removeIf(old -> nowMs - old.lastMs > DEATHS_MS);
    for (QueueRow row : rows) {
      QueueRow last = before == null ? null : before.byName().get(row.name());
      long more = last == null ? 0 : row.load().dead() - last.load().dead();
      Deaths known = deaths.get(row.name());
      if (more > 0 && (known != null || deaths.size() < DEATHS_MAX)) {
        deaths.put(
            row.name(),
            known == null
                ? new Deaths(nowMs, nowMs, more)
                : new Deaths(known.sinceMs, nowMs, known.count + more));
      } else if (row.counts().dead() == 0) {
        // All of them were requeued or removed: there is nothing left to do.
        deaths.remove(row.name());
      }
    }
  }

  private Stream<Attention> growing() {
    return deaths.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<String, Deaths> entry) -> entry.getValue().count)
                .reversed())
        .limit(EACH_MAX)
        .map(entry -> growing(entry.getKey(), entry.getValue()));
  }

  private static Attention growing(String queue, Deaths deaths) {
    String text =
        counted(deaths.count, "message") + " of " + queue + " became dead letters recently";
    return new Attention(
        Attention.Kind.DEAD_GROWING, text, queue, null, deaths.count, deaths.sinceMs);
  }

  private Stream<Attention> lagging(long nowMs, List<QueueRow> rows) {
    List<QueueRow> behind =
        rows.stream()
            .filter(QueueRow::isLagging)
            .sorted(Comparator.comparingLong((QueueRow row) -> row.load().oldestMs()).reversed())
            .limit(EACH_MAX)
            .toList();
    List<Attention> found = new ArrayList<>();
    int asked = 0;
    for (QueueRow row : behind) {
      String name = row.name();
      if (row.info().groups() > 0 && asked++ < GROUPS_ASKED_MAX) {
        // A queue that was deleted meanwhile has none.
        GroupsRequest asking = GroupsRequest.ofQueue(name).limit(EACH_MAX);
        for (GroupInfo group : Pages.orEmpty(broker.groups(asking)).items()) {
          if (group.lagMs() > QueueRow.LAGGING_MS) {
            String state = group.group() + " is behind on " + name;
            found.add(lagging(state, name, group.group(), group.lag(), group.lagMs(), nowMs));
          }
        }
      } else {
        String state =
            name + (row.info().groups() == 0 ? " has no consumer" : " has a group that is behind");
        found.add(lagging(state, name, null, row.load().lag(), row.load().oldestMs(), nowMs));
      }
    }
    return found.stream();
  }

  private static Attention lagging(
      String state, String queue, @Nullable String group, long lag, long oldestMs, long nowMs) {
    String waiting = counted(lag, "message") + " waiting, oldest " + words(oldestMs);
    return new Attention(
        Attention.Kind.LAGGING, state + ": " + waiting, queue, group, lag, nowMs - oldestMs);
  }

  private static String counted(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  private static String words(long ms) {
    Duration time = Duration.ofMillis(ms);
    if (time.toDays() > 1) {
      return time.toDays() + " days";
    }
    return time.toHours() > 1 ? time.toHours() + " h" : time.toMinutes() + " min";
  }

  private static Stream<Attention> paused(List<QueueRow> rows) {
    return rows.stream()
        .filter(row -> row.info().paused())
        .sorted(Comparator.comparingLong((QueueRow row) -> row.load().lag()).reversed())
        .limit(EACH_MAX)
        .map(
            row ->
                new Attention(
                    Attention.Kind.PAUSED,
                    row.name() + " is paused",
                    row.name(),
                    null,
                    row.load().lag(),
                    0));
  }
}
