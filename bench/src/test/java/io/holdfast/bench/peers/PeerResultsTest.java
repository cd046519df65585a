package io.holdfast.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.bench.Report;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeerResultsTest {
  private static final PeerFigure FIGURE = PeerFigure.rate("push-1", "single pushes");

  private final PeerKind holdfast = new HoldfastKind(List.of("holdfast"), Durability.FSYNC);
  private final PeerKind other = new OtherKind();
  private final PeerResults results = new PeerResults();

  /** A peer that is never started. */
  private static final class OtherKind implements PeerKind {
    @Override
    public String name() {
      return "other";
    }

    @Override
    public String durability() {
      return "none";
    }

    @Override
    public String use() {
      return "as it is";
    }

    @Override
    public String missing() {
      return "there is none";
    }

    @Override
    public Peer start(Path directory) {
      throw new UnsupportedOperationException("there is none");
    }
  }

  private void addRounds() {
    double[] ours = {100, 400, 300};
    double[] theirs = {200, 200, 100};
    for (int i = 0; i < ours.length; i++) {
      results.add(holdfast, Map.of(FIGURE, ours[i]));
      results.add(other, Map.of(FIGURE, theirs[i]));
    }
  }

  private List<String> print(boolean json) {
    StringWriter out = new StringWriter();
    results.print(new Report(new PrintWriter(out), new PrintWriter(new StringWriter()), json));
    return out.toString().lines().filter(line -> !line.isEmpty()).toList();
  }

  @Test
  void shouldPrintMediansAndTheMedianRatioOfTheRounds() {
    // given: ratios of 0.5, 2 and 3
    addRounds();

    // when
    List<String> printed = print(false);

    // then
    assertThat(printed)
        .containsExactly(
            "### push-1: single pushes (higher is better), messages/s",
            "| system | median | lowest | highest | Holdfast / system | before an answer |",
            "| --- | --- | --- | --- | --- | --- |",
            "| holdfast | 300 | 100 | 400 |  | fsync |",
            "| other | 200 | 100 | 200 | 2.00 | none |");
  }

  @Test
  void shouldPrintAFigureForEachSystemAsJson() {
    // given
    addRounds();

    // when
    List<String> printed = print(true);

    // then
    assertThat(printed)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("{\"bench\":\"holdfast-push-1\",\"rate\":300.000,")
                    .contains("\"ratio\":null", "\"durability\":\"fsync\""),
            line ->
                assertThat(line)
                    .startsWith("{\"bench\":\"other-push-1\",\"rate\":200.000,")
                    .contains("\"ratio\":2.0000", "\"lowest\":100.000", "\"rounds\":3.000"));
  }

  @Test
  void shouldLeaveOutAPeerThatFailed() {
    // given
    addRounds();

    // when
    results.remove(other);

    // then
    assertThat(print(true)).singleElement().asString().contains("holdfast-push-1");
  }
}
