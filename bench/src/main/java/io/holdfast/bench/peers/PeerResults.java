package io.holdfast.bench.peers;

import io.holdfast.bench.Figure;
import io.holdfast.bench.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of all rounds, and their tables: the median of each peer, and the median over the
 * rounds of Holdfast's value divided by the peer's.
 *
 * <p>Thread: the one that runs the bench.
 */
final class PeerResults {
  private static final List<String> HEADING =
      List.of("system", "median", "lowest", "highest", "Holdfast / system", "before an answer");

  private final Map<PeerFigure, Map<PeerKind, List<Double>>> values = new LinkedHashMap<>();

  /** Adds the values of one turn; every peer adds the same number, in the order of rounds. */
  void add(PeerKind kind, Map<PeerFigure, Double> turn) {
    turn.forEach(
        (figure, value) ->
            values
                .computeIfAbsent(figure, _ -> new LinkedHashMap<>())
                .computeIfAbsent(kind, _ -> new ArrayList<>())
                .add(value));
  }

  /** Forgets the values of a peer that failed. */
  void remove(PeerKind kind) {
    values.values().forEach(peers -> peers.remove(kind));
  }

  void print(Report report) {
    values.forEach(
        (figure, peers) -> {
          List<Double> holdfast =
              peers.entrySet().stream()
                  .filter(one -> one.getKey().name().equals(HoldfastKind.NAME))
                  .findFirst()
                  .orElseThrow()
                  .getValue();
          List<List<String>> rows = new ArrayList<>(List.of(HEADING));
          peers.forEach(
              (kind, rounds) -> {
                Double ratio =
                    kind.name().equals(HoldfastKind.NAME) ? null : ratio(holdfast, rounds);
                rows.add(row(kind, rounds, ratio));
                report.add(json(figure, kind, rounds, ratio));
              });
          report.table(figure.name() + ": " + figure.title() + ", " + figure.unit(), rows);
        });
  }

  private static List<String> row(PeerKind kind, List<Double> rounds, @Nullable Double ratio) {
    return List.of(
        kind.name(),
        number(median(rounds)),
        number(sorted(rounds).getFirst()),
        number(sorted(rounds).getLast()),
        ratio == null ? "" : String.format(Locale.ROOT, "%.2f", ratio),
        kind.durability());
  }

  private static Figure json(
      PeerFigure figure, PeerKind kind, List<Double> rounds, @Nullable Double ratio) {
    Figure json =
        Figure.of(kind.name() + "-" + figure.name(), median(rounds), figure.unit())
            .durability(kind.durability())
            .note(kind.use())
            .with("lowest", sorted(rounds).getFirst())
            .with("highest", sorted(rounds).getLast())
            .with("rounds", rounds.size());
    return ratio == null ? json : json.ratio(ratio);
  }

  /** The median of the ratios of each round, so that a change of the machine hits both alike. */
  private static double ratio(List<Double> holdfast, List<Double> peer) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(holdfast.size(), peer.size()); i++) {
      ratios.add(holdfast.get(i) / peer.get(i));
    }
    return median(ratios);
  }

  static double median(List<Double> values) {
    List<Double> sorted = sorted(values);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  private static List<Double> sorted(List<Double> values) {
    return values.stream().sorted().toList();
  }

  static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%,.2f" : "%,.0f", value);
  }
}
