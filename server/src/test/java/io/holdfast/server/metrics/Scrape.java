package io.holdfast.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prometheus text, read line by line; a line that is not of the format is an error.
 *
 * @param types the type of each family
 * @param values each series, as it is written, with its value
 */
record Scrape(Map<String, String> types, Map<String, Double> values) {
  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\"";
  private static final Pattern HELP = Pattern.compile("# HELP " + NAME + " .*");
  private static final Pattern TYPE =
      Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|histogram|summary|untyped)");
  private static final Pattern SERIES =
      Pattern.compile(
          "("
              + NAME
              + "(?:\\{"
              + LABEL
              + "(?:,"
              + LABEL
              + ")*,?})?) ([-+]?(?:[0-9.]+(?:[eE][-+]?[0-9]+)?|Inf)|NaN)");

  static Scrape of(String text) {
    Map<String, String> types = new LinkedHashMap<>();
    Map<String, Double> values = new LinkedHashMap<>();
    assertThat(text).endsWith("\n");
    for (String line : text.split("\n", -1)) {
      Matcher type = TYPE.matcher(line);
      Matcher series = SERIES.matcher(line);
      if (type.matches()) {
        assertThat(types.put(type.group(1), type.group(2))).as("twice: %s", line).isNull();
      } else if (series.matches()) {
        assertThat(values.put(series.group(1), number(series.group(2))))
            .as("twice: %s", line)
            .isNull();
      } else {
        assertThat(line.isEmpty() || HELP.matcher(line).matches()).as(line).isTrue();
      }
    }
    return new Scrape(types, values);
  }

  private static double number(String text) {
    return text.endsWith("Inf")
        ? (text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY)
        : Double.parseDouble(text);
  }

  double value(String series) {
    Double value = values.get(series);
    if (value == null) {
      throw new AssertionError("no " + series + ", but " + series(series.replaceAll("\\{.*", "")));
    }
    return value;
  }

  /** The series of a family that have one of its names. */
  List<String> series(String name) {
    List<String> found = new ArrayList<>();
    for (String series : values.keySet()) {
      if (series.equals(name) || series.startsWith(name + "{")) {
        found.add(series);
      }
    }
    return found;
  }
}
