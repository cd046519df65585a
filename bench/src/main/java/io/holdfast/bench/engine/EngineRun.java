package io.holdfast.bench.engine;

import io.holdfast.bench.Aim;
import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Report;
import io.holdfast.bench.engine.EngineBench.Measured;
import io.holdfast.engine.EngineConfig.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code bench engine}: every measurement once, the RocksDB probe three times around
 * them, and each rate as a ratio to the probe's median.
 */
public final class EngineRun {
  private static final String PUSH = "push-batch100";
  private static final String NAMED = "push-batch100-named";
  private static final String POP = "pop-ack-batch100";
  private static final String FLOW = "flow-batch100";
  private static final String SINGLE_1 = "push-single-1";
  private static final String SINGLE_256 = "push-single-256";

  private static final EngineBench FSYNC = new FsyncBench();
  private static final EngineBench PROBE = new RocksProbe();
  private static final List<EngineBench> BENCHES =
      List.of(
          new PushBench(PUSH, 16, 100, false),
          new PushBench(NAMED, 16, 100, true),
          new DrainBench(POP, false, true),
          new DrainBench("pop-settle-batch100", false, false),
          new DrainBench("pop-ack-batch100-shared", true, true),
          new FlowBench(FLOW, 4, 1),
          new PushBench(SINGLE_1, 1, 1, false),
          new PushBench("push-single-16", 16, 1, false),
          new PushBench(SINGLE_256, 256, 1, false),
          new FlowBench("flow-1000-partitions", 1_000, 10));

  private final Report report;
  private final Set<String> only;
  private final Map<String, Measured> measured = new LinkedHashMap<>();
  private final List<Double> probes = new ArrayList<>();

  /**
   * @param only the figures to measure; empty for all
   * @throws IllegalArgumentException if one of them does not exist
   */
  public EngineRun(Report report, Set<String> only) {
    Report.expectKnown(only, names());
    this.report = report;
    this.only = Set.copyOf(only);
  }

  /** The names of all figures, in the order of the report. */
  public static List<String> names() {
    List<String> names = new ArrayList<>(List.of(FSYNC.name(), PROBE.name()));
    BENCHES.forEach(bench -> names.add(bench.name()));
    return names;
  }

  /** Measures and reports. */
  public void run(@Nullable Path parent, Durability durability, int seconds)
      throws InterruptedException {
    try (BenchDirectory directory = BenchDirectory.in(parent)) {
      Setting setting = new Setting(directory.path(), durability, seconds * 1000L);
      report.progress(
          "in "
              + directory.path()
              + ", "
              + seconds
              + " s each, durability "
              + setting.durabilityName());
      measure(setting);
      reportFigures(setting);
      reportAims();
    }
    report.finish();
  }

  private boolean wanted(EngineBench bench) {
    return only.isEmpty() || only.contains(bench.name());
  }

  private void measure(Setting setting) throws InterruptedException {
    List<EngineBench> benches = BENCHES.stream().filter(this::wanted).toList();
    if (wanted(FSYNC)) {
      measured.put(FSYNC.name(), run(FSYNC, setting));
    }
    if (benches.isEmpty() && !wanted(PROBE)) {
      return;
    }
    int half = (benches.size() + 1) / 2;
    probe(setting);
    measure(benches.subList(0, half), setting);
    probe(setting);
    measure(benches.subList(half, benches.size()), setting);
    probe(setting);
  }

  private void measure(List<EngineBench> benches, Setting setting) throws InterruptedException {
    for (EngineBench bench : benches) {
      measured.put(bench.name(), run(bench, setting));
    }
  }

  private Measured run(EngineBench bench, Setting setting) throws InterruptedException {
    Measured result = bench.run(setting);
    setting.fresh(bench.name());
    report.progress(
        String.format(Locale.ROOT, "%-26s %,14.0f %s", bench.name(), result.rate(), result.unit()));
    return result;
  }

  private void probe(Setting setting) throws InterruptedException {
    Measured result = run(PROBE, setting);
    probes.add(result.rate());
    List<Double> sorted = probes.stream().sorted().toList();
    String note =
        String.format(
            Locale.ROOT,
            "%s; median of %,.0f to %,.0f",
            result.note(),
            sorted.getFirst(),
            sorted.getLast());
    measured.put(PROBE.name(), new Measured(sorted.get(sorted.size() / 2), result.unit(), note));
  }

  private void reportFigures(Setting setting) {
    Measured probe = measured.get(PROBE.name());
    for (String name : names()) {
      Measured result = measured.get(name);
      if (result == null) {
        continue;
      }
      Figure figure = Figure.of(name, result.rate(), result.unit()).note(result.note());
      if (name.equals(FSYNC.name()) || probe == null) {
        report.add(figure);
      } else {
        report.add(figure.durability(setting.durabilityName()).ratio(result.rate() / probe.rate()));
      }
    }
  }

  private void reportAims() {
    aim("push-batch100 / rocksdb-probe", PUSH, PROBE.name(), 1.0);
    aim("push-batch100-named / rocksdb-probe", NAMED, PROBE.name(), 0.5);
    aim("pop-ack-batch100 / push-batch100", POP, PUSH, 1.0);
    aim("flow-batch100 / rocksdb-probe", FLOW, PROBE.name(), 0.4);
    aim("push-single-256 / push-single-1", SINGLE_256, SINGLE_1, 40);
  }

  private void aim(String what, String bench, String reference, double wanted) {
    Measured result = measured.get(bench);
    Measured compared = measured.get(reference);
    if (result != null && compared != null) {
      report.add(Aim.atLeast(what, result.rate() / compared.rate(), wanted));
    }
  }
}
