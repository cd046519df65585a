package io.holdfast.packaging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive that Maven built in {@code target}, on a machine with a JDK and nothing else. */
class PackageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Pattern LISTENS =
      Pattern.compile("Holdfast listens on (http://127\\.0\\.0\\.1:[0-9]+)");
  private static final String NOBODY = "65534";
  private static final int BLOCK = 512;

  @TempDir static Path directory;
  private static Path archive;
  private static Path home;

  @BeforeAll
  static void unpack() throws Exception {
    Properties build = new Properties();
    try (InputStream in = PackageTest.class.getResourceAsStream("/package.properties")) {
      build.load(in);
    }
    String name = "holdfast-" + build.getProperty("version");
    archive = Path.of("target", name + ".tar.gz").toAbsolutePath();
    // Others have to get there.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    run(directory, "tar", "xzf", archive.toString());
    home = directory.resolve(name);
  }

  private static String run(Path where, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(where.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", command) + ": " + said).isZero();
    return said;
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  /** A header of the archive. */
  private record Entry(String name, int mode, int user, int group, Instant time) {}

  private static List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(archive))) {
      for (byte[] header = in.readNBytes(BLOCK); header[0] != 0; header = in.readNBytes(BLOCK)) {
        entries.add(
            new Entry(
                text(header, 0, 100),
                (int) octal(header, 100, 8),
                (int) octal(header, 108, 8),
                (int) octal(header, 116, 8),
                Instant.ofEpochSecond(octal(header, 136, 12))));
        in.skipNBytes((octal(header, 124, 12) + BLOCK - 1) / BLOCK * BLOCK);
      }
    }
    return entries;
  }

  private static long octal(byte[] header, int at, int length) {
    return Long.parseLong(text(header, at, length).strip(), 8);
  }

  private static String text(byte[] header, int at, int length) {
    String field = new String(header, at, length, UTF_8);
    int end = field.indexOf('\0');
    return end < 0 ? field : field.substring(0, end);
  }

  @Test
  void shouldBelongToRootWithFixedModesAndTime() throws IOException {
    List<Entry> entries = entries();
    String top = home.getFileName() + "/";
    assertThat(entries).extracting(Entry::name).allMatch(name -> name.startsWith(top));
    assertThat(entries)
        .extracting(Entry::name)
        .contains(top, top + "bin/", top + "dist/", top + "docs/", top + "lib/");
    assertThat(entries)
        .allSatisfy(
            entry -> {
              boolean open =
                  entry.name().endsWith("/") || entry.name().equals(top + "bin/holdfast");
              assertThat(entry.mode() & 0777).as(entry.name()).isEqualTo(open ? 0755 : 0644);
              assertThat(entry.user()).isZero();
              assertThat(entry.group()).isZero();
              assertThat(entry.time()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
            });
  }

  @Test
  void shouldHoldWhatIsNeededAndNothingOfTheMachineItWasMadeOn() throws IOException {
    List<String> names = names(home);
    assertThat(names)
        .contains(
            "bin/holdfast",
            "holdfast.jar",
            "lib/launch.sh",
            "LICENSE",
            "NOTICE",
            "README.md",
            "CHANGELOG.md",
            "SECURITY.md",
            "THIRD-PARTY.md",
            "UPGRADING.md",
            "docs/operations.md",
            "dist/holdfast.service",
            "dist/holdfast.env",
            "dist/Containerfile",
            "dist/prometheus-rules.yml")
        .noneMatch(name -> name.endsWith(".aot") || name.matches("(.*/)?native/.*"));
    assertThat(home.resolve("bin/holdfast")).isExecutable();
    String machine = System.getProperty("user.home");
    for (String name : names) {
      if (!name.endsWith(".jar")) {
        // Pictures as well: any bytes are characters so.
        String text = Files.readString(home.resolve(name), ISO_8859_1);
        assertThat(text).as(name).doesNotContain(ROOT.toString(), machine + "/");
      }
    }
  }

  @Test
  void shouldNameTheLicenceOfEveryLibrary() throws IOException {
    // given
    Set<String> libraries = new HashSet<>();
    for (String name : names(home.resolve("lib"))) {
      if (name.endsWith(".jar") && !name.startsWith("holdfast-")) {
        libraries.add(name.replace(".jar", ""));
      }
    }
    // when
    Set<String> listed = new HashSet<>();
    for (String line : Files.readAllLines(home.resolve("THIRD-PARTY.md"))) {
      Matcher row =
          Pattern.compile("\\| [a-z0-9.-]+:([A-Za-z0-9._-]+) \\| (\\S+) \\| (.+) \\|")
              .matcher(line);
      if (row.matches()) {
        assertThat(listed.add(row.group(1) + "-" + row.group(2))).as(line).isTrue();
        assertThat(row.group(3)).as(line).matches("(?i).*(apache|mit|bsd|epl|eclipse|cc0).*");
      }
    }
    // then
    assertThat(libraries).hasSizeGreaterThan(30);
    assertThat(listed).isEqualTo(libraries);
  }

  /** Runs somebody who may write nowhere but where they are. */
  private static ProcessBuilder asNobody(Path where, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    if (run(where, "id", "-u").strip().equals("0")) {
      command.addAll(
          List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
    }
    command.add(home.resolve("bin/holdfast").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(where.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                "/usr/bin:/bin",
                "JAVA_HOME",
                System.getProperty("java.home"),
                "HOLDFAST_JAVA_OPTS",
                "-Xmx256m"));
    return builder.redirectErrorStream(true);
  }

  private static String ask(Path where, String... arguments) throws Exception {
    Process process = asNobody(where, arguments).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", arguments) + ": " + said).isZero();
    return said;
  }

  @Test
  void shouldServeAsAnotherUserInAnEmptyFolderAndWriteNowhereElse() throws Exception {
    // given
    Path where = Files.createDirectory(directory.resolve("empty"));
    Files.setPosixFilePermissions(where, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path out = Files.createFile(directory.resolve("out.txt"));
    List<String> before = names(home);
    boolean root = run(where, "id", "-u").strip().equals("0");
    if (!root) {
      run(directory, "chmod", "-R", "a-w", home.toString());
    }
    // when
    Process served = asNobody(where, "serve", "--port", "0").redirectOutput(out.toFile()).start();
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> LISTENS.matcher(Files.readString(out)).find() || !served.isAlive());
      Matcher listens = LISTENS.matcher(Files.readString(out));
      assertThat(listens.find()).as(Files.readString(out)).isTrue();
      String url = listens.group(1);
      ask(where, "push", "orders", "{\"sum\":12}", "--server", url);
      // then
      assertThat(ask(where, "pop", "orders", "--auto-ack", "--server", url)).contains("12");
      ProcessBuilder ready = asNobody(where, "is-ready");
      ready.environment().put("HOLDFAST_PORT", url.replaceFirst(".*:", ""));
      assertThat(ready.start().waitFor()).isZero();
      served.destroy();
      assertThat(served.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(served.exitValue()).as(Files.readString(out)).isZero();
      assertThat(where.resolve("data/HOLDFAST")).exists();
      assertThat(names(home)).isEqualTo(before);
    } finally {
      served.destroyForcibly();
      if (!root) {
        run(directory, "chmod", "-R", "u+w", home.toString());
      }
    }
    assertThat(asNobody(where, "warm-up").start().waitFor()).as("it may not").isNotZero();
  }

  @Test
  void shouldSayThatThereIsNoJava() throws Exception {
    // given
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : List.of("bash", "dirname", "sed", "env")) {
      Files.createSymbolicLink(tools.resolve(tool), Path.of(run(directory, "which", tool).strip()));
    }
    String launcher =
        Files.readString(home.resolve("lib/launch.sh"))
            .replace("/usr/lib/jvm/*", "/nowhere/*")
            .replace("/opt/java/*", "/nowhere/*");
    Path other = directory.resolve("other");
    Files.createDirectories(other.resolve("bin"));
    Files.copy(home.resolve("bin/holdfast"), other.resolve("bin/holdfast"));
    Files.createDirectory(other.resolve("lib"));
    Files.writeString(other.resolve("lib/launch.sh"), launcher);
    ProcessBuilder builder =
        new ProcessBuilder(
            tools.resolve("bash").toString(), other.resolve("bin/holdfast").toString(), "serve");
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    // when
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    // then
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(said).contains("needs a JDK 25 or newer", "To do: install one", "JAVA_HOME");
  }
}
