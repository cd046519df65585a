package io.holdfast.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds the package, with sources and Javadoc, from two copies of the sources that differ in
 * folder, file times, order on disk, umask, time zone and locale.
 */
@Tag("long")
class ReproducibleBuildTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final long BUILD_MINUTES_MAX = 30;
  private static final Pattern SHIPPED_PURL =
      Pattern.compile("\"purl\" : \"pkg:maven/[^/\"]+/([^@\"]+)@([^?\"]+)\\?type=jar\"");

  @TempDir static Path directory;
  private static Path first;
  private static Path second;

  @BeforeAll
  static void build() throws Exception {
    List<Path> sources = sources();
    first = copy(sources, directory.resolve("a"));
    second = copy(sources.reversed(), directory.resolve("a longer name/b"));
    make(first, "022", Map.of("TZ", "UTC", "LC_ALL", "C.UTF-8"));
    // A stricter umask is kept in the jars by Maven's plugins, and would make a difference.
    make(second, "002 && chmod -R g+w .", Map.of("TZ", "Asia/Tokyo", "LC_ALL", "C"));
  }

  /** The files of the project, without what was built and without the data of a broker. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean other =
                Set.of("target", ".git", ".idea").contains(folder.getFileName().toString());
            return other || folder.equals(ROOT.resolve("data"))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sources.add(ROOT.relativize(file));
            return FileVisitResult.CONTINUE;
          }
        });
    return sources;
  }

  private static Path copy(List<Path> sources, Path to) throws IOException {
    for (Path source : sources) {
      Path target = to.resolve(source);
      Files.createDirectories(target.getParent());
      Files.copy(ROOT.resolve(source), target);
    }
    return to;
  }

  private static void make(Path root, String umask, Map<String, String> environment)
      throws Exception {
    Path log = root.resolveSibling("build.txt");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", "umask " + umask + " && exec ./holdfast package -Prelease")
            .directory(root.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(BUILD_MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }

  /** Files for other people: the package, and the jars of all modules. */
  private static Set<String> products(Path root) throws IOException {
    Set<String> products = new TreeSet<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(file).toString();
        if (name.matches("target/holdfast-.*|[a-z]+/target/(dist/)?[^/]+\\.jar")) {
          products.add(name);
        }
      }
    }
    return products;
  }

  private static Path product(String ending) throws IOException {
    try (Stream<Path> files = Files.list(first.resolve("target"))) {
      return files.filter(file -> file.toString().endsWith(ending)).findAny().orElseThrow();
    }
  }

  @Test
  void shouldGiveTheSameBytes() throws IOException {
    Set<String> products = products(first);
    assertThat(products)
        .anyMatch(name -> name.endsWith(".tar.gz"))
        .anyMatch(name -> name.endsWith("-sbom.json"))
        .anyMatch(name -> name.endsWith("-sources.jar"))
        .anyMatch(name -> name.endsWith("-javadoc.jar"));
    assertThat(products(second)).isEqualTo(products);
    List<String> different = new ArrayList<>();
    for (String name : products) {
      if (Files.mismatch(first.resolve(name), second.resolve(name)) != -1) {
        different.add(name);
      }
    }
    assertThat(different).isEmpty();
  }

  @Test
  void shouldHaveChecksumsOfTheArchiveAndTheBillOfMaterials() throws Exception {
    for (String ending : List.of(".tar.gz", "-sbom.json")) {
      Path file = product(ending);
      String hash =
          HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
      assertThat(Files.readString(product(ending + ".sha256")))
          .isEqualTo(hash + "  " + file.getFileName() + "\n");
    }
  }

  @Test
  void shouldNameEveryLibraryInTheBillOfMaterials() throws Exception {
    // given
    Set<String> libraries = new TreeSet<>();
    try (Stream<Path> files = Files.list(first.resolve("cli/target/dist/lib"))) {
      files.forEach(file -> libraries.add(file.getFileName().toString()));
    }
    // when
    String bill = Files.readString(product("-sbom.json"));
    Set<String> named = new TreeSet<>();
    for (MatchResult purl : SHIPPED_PURL.matcher(bill).results().toList()) {
      named.add(purl.group(1) + "-" + purl.group(2) + ".jar");
    }
    // then
    assertThat(named.removeIf(name -> name.matches("holdfast(-cli)?-[0-9].*"))).isTrue();
    assertThat(named).isEqualTo(libraries);
    assertThat(bill).doesNotContain(first.toString(), "\"timestamp\"");
  }
}
