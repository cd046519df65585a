package io.holdfast.bench.peers;

import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Report;
import io.holdfast.bench.http.FlowLoad;
import io.holdfast.bench.http.Target;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code bench peers}: Holdfast and the installed peers are given the same workloads in
 * turns. A peer that fails is left out from then on, and the run fails at its end.
 *
 * <p>Thread: the one that runs the bench.
 */
public final class PeersRun {
  private static final long WARM_UP_MS_MAX = 5_000;
  private static final long TURN_SECONDS_MIN = 120;
  private static final long MEMORY_SECONDS_MIN = 120;

  /** Lets writes that go on in the background end, so that they are not the next peer's. */
  private static final long PAUSE_MS = 500;

  /**
   * How a run is done.
   *
   * @param directory where to write; null for the usual place
   * @param serve the command that starts a Holdfast server with its default settings
   * @param seconds how long a turn is measured
   * @param rounds how many turns each peer has at each workload
   * @param messages how many messages go in before memory is read
   * @param peers the peers to run; empty for all that are installed
   */
  public record Plan(
      @Nullable Path directory,
      List<String> serve,
      Durability durability,
      int seconds,
      int rounds,
      long messages,
      Set<String> peers) {
    public Plan {
      serve = List.copyOf(serve);
      peers = Set.copyOf(peers);
      if (rounds < 1) {
        throw new IllegalArgumentException("rounds: expected 1 or more, but got " + rounds);
      }
      if (messages < 1) {
        throw new IllegalArgumentException("scale: expected at least one message");
      }
    }
  }

  private final Report report;
  private final Set<String> only;
  private final Plan plan;
  private final PeerResults results = new PeerResults();
  private final List<PeerKind> kinds = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  /**
   * @param only the workloads to run; empty for all
   * @throws IllegalArgumentException if a workload or a peer does not exist
   */
  public PeersRun(Report report, Set<String> only, Plan plan) {
    this(
        report,
        only,
        plan,
        ServiceLoader.load(PeerKind.class).stream().map(ServiceLoader.Provider::get).toList());
  }

  PeersRun(Report report, Set<String> only, Plan plan, List<PeerKind> known) {
    Report.expectKnown(only, names());
    this.report = report;
    this.only = Set.copyOf(only);
    this.plan = plan;
    List<String> knownNames =
        Stream.concat(known.stream().map(PeerKind::name), Stream.of(ClusterKind.NAME)).toList();
    for (String name : plan.peers()) {
      if (!knownNames.contains(name)) {
        throw new IllegalArgumentException(
            "peers: expected some of "
                + knownNames
                + ", but got "
                + name
                + (known.isEmpty() ? ". " + noClients() : ""));
      }
    }
    select(known);
  }

  private static String noClients() {
    return "The Java clients of other systems are not in the distribution;"
        + " run ./holdfast bench peers from the sources";
  }

  private void select(List<PeerKind> known) {
    kinds.add(new HoldfastKind(plan.serve(), plan.durability()));
    if (plan.peers().contains(ClusterKind.NAME)) {
      kinds.add(new ClusterKind(plan.serve()));
    }
    if (known.isEmpty()) {
      missing.add("No peers: " + noClients() + ".");
    }
    for (PeerKind kind : known) {
      if (!plan.peers().isEmpty() && !plan.peers().contains(kind.name())) {
        continue;
      }
      String reason = kind.missing();
      if (reason == null) {
        kinds.add(kind);
      } else {
        missing.add("Not measured: " + kind.name() + ": " + reason);
        if (plan.peers().contains(kind.name())) {
          failures.add(kind.name() + ": " + reason);
        }
      }
    }
  }

  /** The names of all workloads, in the order of the report. */
  public static List<String> names() {
    return Stream.concat(
            PeerWorkload.all().stream().map(PeerWorkload::name), Stream.of(PeerMemory.NAME))
        .toList();
  }

  private boolean wanted(String name) {
    return only.isEmpty() || only.contains(name);
  }

  /**
   * Measures and reports.
   *
   * @throws CheckFailedException if a peer failed, or was asked for and is not installed
   */
  public void run() throws IOException, InterruptedException {
    try (BenchDirectory directory = BenchDirectory.in(plan.directory())) {
      // A peer may run as a user of its own.
      directory.letOthersPass();
      report.progress(
          "in %s, %d rounds of %d s".formatted(directory.path(), plan.rounds(), plan.seconds()));
      kinds.forEach(kind -> report.progress("%-10s %s".formatted(kind.name(), kind.use())));
      missing.forEach(report::progress);
      if (wanted(PeerMemory.NAME)) {
        memory(directory.path());
      }
      List<PeerWorkload> workloads =
          PeerWorkload.all().stream().filter(workload -> wanted(workload.name())).toList();
      if (!workloads.isEmpty()) {
        compare(directory.path(), workloads);
      }
    }
    results.print(report);
    report.remark("");
    kinds.forEach(kind -> report.remark("%s: %s".formatted(kind.name(), kind.use())));
    missing.forEach(report::remark);
    if (!failures.isEmpty()) {
      throw new CheckFailedException(String.join("\n", failures));
    }
  }

  /** One peer at a time on a new server: the memory of a used one tells less. */
  private void memory(Path root) throws IOException, InterruptedException {
    for (PeerKind kind : List.copyOf(kinds)) {
      Path directory = Files.createDirectory(root.resolve("memory-" + kind.name()));
      try (Peer peer = kind.start(directory)) {
        PeerTurn turn = new PeerTurn(kind, peer, MEMORY_SECONDS_MIN + plan.messages() / 1_000);
        Map<PeerFigure, Double> values =
            turn.run(PeerMemory.NAME, () -> PeerMemory.measure(peer, plan.messages()));
        add(kind, PeerMemory.NAME, values);
      } catch (IOException | RuntimeException e) {
        leaveOut(kind, PeerMemory.NAME, e);
      }
      BenchDirectory.delete(directory);
    }
  }

  private void compare(Path root, List<PeerWorkload> workloads)
      throws IOException, InterruptedException {
    List<PeerTurn> running = new ArrayList<>();
    try {
      for (PeerKind kind : List.copyOf(kinds)) {
        report.progress("starting " + kind.name());
        try {
          Peer peer = kind.start(Files.createDirectory(root.resolve(kind.name())));
          PeerTurn turn = new PeerTurn(kind, peer, TURN_SECONDS_MIN + 20L * plan.seconds());
          running.add(turn);
          turn.run("warm-up", () -> warmUp(peer));
        } catch (IOException | RuntimeException e) {
          leaveOut(kind, "its start", e);
        }
      }
      for (PeerWorkload workload : workloads) {
        for (int round = 0; round < plan.rounds(); round++) {
          round(running, workload, round);
        }
      }
    } finally {
      running.forEach(turn -> turn.peer().close());
    }
  }

  private void round(List<PeerTurn> running, PeerWorkload workload, int round)
      throws InterruptedException {
    List<PeerTurn> order =
        new ArrayList<>(running.stream().filter(turn -> kinds.contains(turn.kind())).toList());
    // Each is the first in turn.
    Collections.rotate(order, -round);
    for (PeerTurn turn : order) {
      String label = workload.name() + " " + (round + 1) + "/" + plan.rounds();
      try {
        add(turn.kind(), label, turn.run(label, () -> once(turn.peer(), workload, round)));
      } catch (RuntimeException e) {
        leaveOut(turn.kind(), label, e);
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  private Map<PeerFigure, Double> warmUp(Peer peer) throws InterruptedException {
    String queue = "warm-up";
    peer.createQueue(queue);
    long warmUpMs = Math.min(WARM_UP_MS_MAX, plan.seconds() * 2_000L);
    new FlowLoad(queue, 1, 1, 100).run(new Target(peer::session, true, 0, warmUpMs));
    peer.deleteQueue(queue);
    return Map.of();
  }

  private Map<PeerFigure, Double> once(Peer peer, PeerWorkload workload, int round)
      throws InterruptedException {
    String queue = workload.name() + "-" + round;
    long measuredMs = plan.seconds() * 1_000L;
    peer.createQueue(queue);
    Target target = new Target(peer::session, true, Math.max(500, measuredMs / 2), measuredMs);
    Map<PeerFigure, Double> values = workload.runner().run(peer, target, queue);
    peer.deleteQueue(queue);
    return values;
  }

  private void add(PeerKind kind, String label, Map<PeerFigure, Double> values) {
    results.add(kind, values);
    values.forEach(
        (figure, value) ->
            report.progress(
                String.format(
                        Locale.ROOT,
                        "%-18s %-10s %14s %s %s",
                        label,
                        kind.name(),
                        PeerResults.number(value),
                        figure.unit(),
                        values.size() > 1 ? figure.name() : "")
                    .stripTrailing()));
  }

  /** Goes on without a peer; without Holdfast there is nothing to compare with. */
  private void leaveOut(PeerKind kind, String when, Exception failure) {
    String sentence = kind.name() + " failed at " + when + ": " + failure.getMessage();
    if (kind.name().equals(HoldfastKind.NAME)) {
      throw new IllegalStateException(sentence, failure);
    }
    report.progress(sentence);
    failures.add(sentence);
    kinds.remove(kind);
    results.remove(kind);
  }
}
