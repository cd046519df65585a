package io.holdfast.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** That the colours of the dashboard can be told from each other: WCAG 2.2, level AA. */
class ContrastTest {
  private static final Path STYLES =
      Path.of("src/main/resources/io/holdfast/server/dashboard/app.css");
  private static final Pattern COLOUR =
      Pattern.compile("--([\\w-]+): light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)");

  /** Least ratio of text to what is behind it. */
  private static final double TEXT = 4.5;

  /** Least ratio of lines that mean something. */
  private static final double LINE = 3;

  private static final List<String> GROUNDS =
      List.of("ground", "surface", "raised", "hover", "well");

  static Stream<Arguments> pairs() {
    Stream<Arguments> texts =
        Stream.of("text", "muted", "accent", "bad", "warn", "good", "info")
            .flatMap(ink -> GROUNDS.stream().map(ground -> Arguments.of(ink, ground, TEXT)));
    Stream<Arguments> badges =
        Stream.of("good", "warn", "bad", "info")
            .flatMap(
                ink ->
                    Stream.of(
                        Arguments.of(ink, ink + "-soft", TEXT),
                        Arguments.of("text", ink + "-soft", TEXT)));
    Stream<Arguments> others =
        Stream.of(
            Arguments.of("text", "idle-soft", TEXT),
            Arguments.of("accent-strong", "accent-soft", TEXT),
            Arguments.of("muted", "accent-soft", TEXT),
            Arguments.of("on-accent", "accent", TEXT),
            Arguments.of("on-accent", "accent-strong", TEXT),
            Arguments.of("line-strong", "surface", LINE),
            Arguments.of("line-strong", "ground", LINE),
            Arguments.of("line-strong", "raised", LINE),
            Arguments.of("focus", "surface", LINE),
            Arguments.of("focus", "ground", LINE));
    Stream<Arguments> charts =
        Stream.of(1, 2, 3, 4, 5).map(line -> Arguments.of("chart-" + line, "surface", LINE));
    return Stream.of(texts, badges, others, charts).flatMap(all -> all);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void shouldStandOut(String ink, String ground, double least) throws IOException {
    for (int theme = 0; theme < 2; theme++) {
      assertThat(ratio(colours(ink).get(theme), colours(ground).get(theme)))
          .as(theme == 0 ? "light" : "dark")
          .isGreaterThanOrEqualTo(least);
    }
  }

  /** A colour by light and by dark. */
  private static List<String> colours(String name) throws IOException {
    return COLOUR
        .matcher(Files.readString(STYLES))
        .results()
        .filter(found -> found.group(1).equals(name))
        .map(found -> List.of(found.group(2), found.group(3)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no colour " + name));
  }

  private static double ratio(String one, String other) {
    double a = luminance(one);
    double b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  private static double luminance(String colour) {
    return 0.2126 * part(colour, 1) + 0.7152 * part(colour, 3) + 0.0722 * part(colour, 5);
  }

  private static double part(String colour, int at) {
    double value = Integer.parseInt(colour.substring(at, at + 2), 16) / 255.0;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  }
}
