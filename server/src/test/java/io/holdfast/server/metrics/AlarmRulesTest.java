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

/** The alarms that are shipped look at metrics there are, and are those of the operations page. */
class AlarmRulesTest extends ServerFixture {
  private static final Path RULES = Path.of("..", "dist", "prometheus-rules.yml");
  private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");
  private static final Pattern METRIC =
      Pattern.compile("\\b(?:holdfast|jvm|process|system)_[a-z0-9_]+");
  private static final Pattern RULE =
      Pattern.compile(
          """
               {6}- alert: (Holdfast[A-Za-z]+)
               {8}expr: '([^'\\n]+)'
               {8}for: ([0-9]+[mhd])
               {8}labels:
               {10}severity: (?:critical|warning)
               {8}annotations:
               {10}summary: "[^"\\n]+"
              """
              .stripIndent());

  private static final Pattern ROW = Pattern.compile("\\| `([^|]+)` \\| ([0-9]+[mhd]) \\| .* \\|");

  /** An alarm, as both tell it. */
  private record Alarm(String expression, String after) {}

  private static List<Alarm> rules() throws IOException {
    String text = Files.readString(RULES);
    String body = text.substring(text.indexOf("    rules:\n") + "    rules:\n".length());
    List<Alarm> alarms = new ArrayList<>();
    Matcher rule = RULE.matcher(body);
    int at = 0;
    Set<String> names = new HashSet<>();
    while (rule.find()) {
      assertThat(rule.start()).as("what is no rule: " + body.substring(at)).isEqualTo(at);
      assertThat(names.add(rule.group(1))).as("twice: " + rule.group(1)).isTrue();
      alarms.add(new Alarm(rule.group(2), rule.group(3)));
      at = rule.end();
    }
    assertThat(body.substring(at)).as("what is no rule").isEmpty();
    return alarms;
  }

  private static List<Alarm> documented() throws IOException {
    String page = Files.readString(OPERATIONS);
    List<Alarm> alarms = new ArrayList<>();
    page.substring(page.indexOf("### Alarms"))
        .lines()
        .takeWhile(line -> !line.startsWith("## "))
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .forEach(row -> alarms.add(new Alarm(row.group(1), row.group(2))));
    return alarms;
  }

  @Test
  void shouldBeTheAlarmsOfTheOperationsPage() throws IOException {
    assertThat(rules()).hasSizeGreaterThan(10).containsExactlyElementsOf(documented());
  }

  @Test
  void shouldLookAtMetricsThatAreThere() throws IOException {
    // given
    post("/api/v1/push", "{'items':[{'queue':'q','payload':1}]}").expect(201);
    get("/api/v1/pop/queue/q").expect(200);
    Set<String> names = new HashSet<>();
    for (String series : Scrape.of(get("/metrics").http().body()).values().keySet()) {
      names.add(series.replaceAll("\\{.*", ""));
    }
    // then
    for (Alarm alarm : rules()) {
      List<String> used =
          METRIC.matcher(alarm.expression()).results().map(found -> found.group()).toList();
      assertThat(used).as(alarm.expression()).isNotEmpty().isSubsetOf(names);
    }
  }
}
