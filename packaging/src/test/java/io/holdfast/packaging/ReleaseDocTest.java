package io.holdfast.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The pages about versions: they name the data format and levels, and their links lead somewhere.
 */
class ReleaseDocTest {
  private static final Path ROOT = Path.of("..");
  private static final Path ENGINE = ROOT.resolve("engine/src/main/java/io/holdfast/engine");

  private static String first(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .findFirst()
        .orElseThrow(() -> new AssertionError("not found: " + pattern));
  }

  @Test
  void shouldNameTheDataFormatAndLevelsOfThisVersion() throws Exception {
    String format =
        first(Files.readString(ENGINE.resolve("store/Tables.java")), "int FORMAT = ([0-9]+);");
    String levels =
        first(
            Files.readString(ENGINE.resolve("command/FormatLevels.java")),
            "KNOWN = new FormatLevels\\(([0-9, ]+)\\)");
    int oldest = Integer.parseInt(levels.split(", ")[0]);
    int newest = Integer.parseInt(levels.split(", ")[1]);
    String version =
        first(Files.readString(ROOT.resolve("pom.xml")), "\n  <version>([0-9.]+)(-SNAPSHOT)?<");
    assertThat(Files.readString(ROOT.resolve("UPGRADING.md")))
        .contains(
            "\n| "
                + version
                + " | "
                + format
                + " | "
                + (oldest == newest ? oldest : oldest + " to " + newest)
                + " |\n");
  }

  @Test
  void shouldHaveLinksToPagesAndSectionsThatExist() throws Exception {
    Pattern link = Pattern.compile("]\\((?!http)([^)#]*)(#([^)]*))?\\)");
    for (String name : List.of("CHANGELOG.md", "UPGRADING.md", "SECURITY.md")) {
      for (MatchResult found :
          link.matcher(Files.readString(ROOT.resolve(name))).results().toList()) {
        Path page = ROOT.resolve(found.group(1).isEmpty() ? name : found.group(1));
        assertThat(page).as(name).exists();
        if (found.group(3) != null) {
          assertThat(Files.readAllLines(page))
              .as(found.group())
              .anyMatch(line -> line.startsWith("#") && anchor(line).equals(found.group(3)));
        }
      }
    }
  }

  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ ", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9 -]", "")
        .replace(' ', '-');
  }
}
