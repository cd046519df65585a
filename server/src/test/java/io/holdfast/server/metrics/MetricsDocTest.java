package io.holdfast.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.ServerFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of metrics of the operations page has every metric, with its type, and no other. */
class MetricsDocTest extends ServerFixture {
  private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");
  private static final Pattern ROW = Pattern.compile("\\| `([a-z0-9_]+)[^`]*` \\| (\\w+) \\|.*");

  @Test
  void shouldListEveryMetric() throws IOException {
    // given
    post("/api/v1/push", "{'items':[{'queue':'q','payload':1}]}").expect(201);
    get("/api/v1/pop/queue/q").expect(200);
    // when
    Scrape scrape = Scrape.of(get("/metrics").expect(200).http().body());
    List<String> told = new ArrayList<>();
    scrape.types().forEach((name, type) -> told.add(name + " " + type));
    // then
    assertThat(documented()).containsExactlyInAnyOrderElementsOf(told);
  }

  @Test
  void shouldSetAlarmsOnlyOnMetricsThatAreThere() throws IOException {
    // given
    post("/api/v1/push", "{'items':[{'queue':'q','payload':1}]}").expect(201);
    get("/api/v1/pop/queue/q").expect(200);
    Set<String> names = new HashSet<>();
    for (String series : Scrape.of(get("/metrics").http().body()).values().keySet()) {
      names.add(series.replaceAll("\\{.*", ""));
    }
    // when
    String alarms = below("### Alarms");
    // then
    Matcher name = Pattern.compile("(?:holdfast|jvm|process|system)_[a-z0-9_]+").matcher(alarms);
    assertThat(name.results().map(found -> found.group())).isNotEmpty().allMatch(names::contains);
  }

  private static List<String> documented() throws IOException {
    List<String> rows = new ArrayList<>();
    String table = below("## Metrics").replaceFirst("(?s)\n### .*", "");
    for (String line : table.split("\n", -1)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.add(row.group(1) + " " + row.group(2));
      }
    }
    return rows;
  }

  /** What is below a heading, until the next of its kind. */
  private static String below(String heading) throws IOException {
    String page = Files.readString(OPERATIONS);
    int from = page.indexOf("\n" + heading + "\n");
    assertThat(from).as(heading).isNotNegative();
    int to = page.indexOf("\n## ", from + heading.length());
    return page.substring(from, to < 0 ? page.length() : to);
  }
}
