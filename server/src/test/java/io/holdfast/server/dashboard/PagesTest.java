package io.holdfast.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every script of the dashboard keeps to. */
class PagesTest {
  private static final Path FOLDER = Path.of("src/main/resources/io/holdfast/server/dashboard");
  private static final int LINES_MAX = 320;

  /** So many pages share what is loaded with the frame. */
  private static final int MANY = 5;

  private static final Pattern PAGE = Pattern.compile("import\\('([^']+)'\\)");
  private static final Pattern IMPORT = Pattern.compile("(?m)(?:from|^import) '(\\.[^']+)'");

  static Stream<Path> scripts() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".js")).sorted().toList().stream();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void shouldNeverTakeTextForMarkupOrCode(Path script) {
    assertThat(text(script))
        .doesNotContainPattern("innerHTML|outerHTML|insertAdjacentHTML|document\\.write")
        .doesNotContainPattern("unsafe-?(html|HTML|svg|SVG|Static)|static-html")
        .doesNotContainPattern("\\beval\\(|new Function\\(|setTimeout\\(['\"`]|javascript:")
        .doesNotContainPattern("\\sstyle=|\\son(click|load|error|input|change)=")
        .doesNotContainPattern("https?://");
  }

  /** What leads somewhere is made of encoded parts. */
  @ParameterizedTest
  @MethodSource("scripts")
  void shouldMakeAddressesOfParts(Path script) {
    assertThat(text(script)).doesNotContainPattern("(href|src)=(\"[^\"]*)?\\$\\{`");
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void shouldSayFirstWhatItIs(Path script) {
    String text = text(script);
    assertThat(text).matches("(?s)(/\\*\\*|//) .*");
    assertThat(text.lines().count()).isLessThanOrEqualTo(LINES_MAX);
  }

  /** Else the browser finds out about them only one after the other. */
  @Test
  void shouldLetTheBrowserLoadAllScriptsOfTheFrameAtOnce() {
    Set<Path> frame = new TreeSet<>();
    reach(FOLDER.resolve("app.js"), frame);
    frame.remove(FOLDER.resolve("app.js"));
    assertThat(frame).hasSizeGreaterThan(10).allSatisfy(PagesTest::isLoadedAtOnce);
  }

  @Test
  void shouldLetTheBrowserLoadWhatManyPagesShareAtOnce() {
    Map<Path, Integer> pages = new TreeMap<>();
    Path all = FOLDER.resolve("pages/all.js");
    List<Path> roots =
        PAGE.matcher(text(all)).results().map(hit -> all.resolveSibling(hit.group(1))).toList();
    for (Path root : roots) {
      Set<Path> scripts = new TreeSet<>();
      reach(root.normalize(), scripts);
      scripts.forEach(script -> pages.merge(script, 1, Integer::sum));
    }
    assertThat(roots).hasSizeGreaterThan(10);
    pages.values().removeIf(count -> count < MANY);
    assertThat(pages.keySet()).hasSizeGreaterThan(10).allSatisfy(PagesTest::isLoadedAtOnce);
  }

  private static void isLoadedAtOnce(Path script) {
    assertThat(text(FOLDER.resolve("index.html")))
        .contains(
            "<link rel=\"modulepreload\" href=\"/assets/" + FOLDER.relativize(script) + "\">");
  }

  private static void reach(Path script, Set<Path> found) {
    if (found.add(script)) {
      IMPORT
          .matcher(text(script))
          .results()
          .map(hit -> script.resolveSibling(hit.group(1)).normalize())
          .forEach(next -> reach(next, found));
    }
  }

  /** The types that scripts are checked against are those of the libraries that are served. */
  @ParameterizedTest
  @CsvSource({"lit,lit.version", "chart.js,chart.js.version"})
  void shouldCheckTypesAgainstTheLibrariesThatAreServed(String library, String property) {
    String version = found(Path.of("../pom.xml"), "<" + Pattern.quote(property) + ">([^<]+)</");
    assertThat(
            found(Path.of("../build/dashboard/package.json"), '"' + library + "\": \"([^\"]+)\""))
        .isEqualTo(version);
  }

  private static String found(Path file, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text(file))
        .results()
        .map(hit -> hit.group(1))
        .findFirst()
        .orElseThrow(() -> new AssertionError(pattern + " is not in " + file));
  }

  /** Field names of the server's answers are read in api, so that a renamed one is one edit. */
  @ParameterizedTest
  @MethodSource("scripts")
  void shouldCallTheServerInOnePlace(Path script) {
    String folder = FOLDER.relativize(script).getName(0).toString();
    if (!folder.equals("api")) {
      assertThat(text(script))
          .doesNotContainPattern(
              "import \\{[^}]*\\b(get|post|remove)\\b[^}]*\\} from '[^']*lib/api\\.js'");
    }
  }

  @Test
  void shouldHaveNoPlaceThatIsLeftOpen() throws IOException {
    List<Path> open =
        scripts().filter(file -> text(file).matches("(?s).*(TODO|FIXME|console\\.).*")).toList();
    assertThat(open).isEmpty();
  }
}
