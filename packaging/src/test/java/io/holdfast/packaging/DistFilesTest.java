package io.holdfast.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is shipped to run it as a service and in a container, looked at line by line. */
class DistFilesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DIST = ROOT.resolve("dist");
  private static final String INSTALLED = "/opt/holdfast/";
  private static final Pattern VARIABLE = Pattern.compile("\\bHOLDFAST_[A-Z_]+");

  private static List<String> lines(String name) throws IOException {
    return Files.readAllLines(DIST.resolve(name));
  }

  /** Every variable that the manual knows. */
  private static List<String> known() throws IOException {
    return VARIABLE
        .matcher(Files.readString(ROOT.resolve("docs/operations.md")))
        .results()
        .map(found -> found.group())
        .toList();
  }

  /** The settings of a unit, by their name; what is commented out is not. */
  private static Map<String, List<String>> unit() throws IOException {
    Map<String, List<String>> settings = new LinkedHashMap<>();
    for (String line : lines("holdfast.service")) {
      if (line.isBlank() || line.startsWith("#") || line.startsWith("[")) {
        continue;
      }
      Matcher setting = Pattern.compile("([A-Z][A-Za-z]+)=(.*)").matcher(line);
      assertThat(setting.matches()).as(line).isTrue();
      settings.computeIfAbsent(setting.group(1), name -> new ArrayList<>()).add(setting.group(2));
    }
    return settings;
  }

  @Test
  void shouldLetTheServiceDoLittle() throws IOException {
    Map<String, List<String>> unit = unit();
    assertThat(unit)
        .containsEntry("DynamicUser", List.of("yes"))
        .containsEntry("StateDirectory", List.of("holdfast"))
        .containsEntry("ProtectSystem", List.of("strict"))
        .containsEntry("ProtectHome", List.of("yes"))
        .containsEntry("NoNewPrivileges", List.of("yes"))
        .containsEntry("PrivateTmp", List.of("yes"))
        .containsEntry("CapabilityBoundingSet", List.of(""))
        .containsEntry("SystemCallFilter", List.of("@system-service"))
        .containsEntry("Restart", List.of("on-failure"))
        .containsEntry("KillSignal", List.of("SIGTERM"))
        .doesNotContainKey("MemoryDenyWriteExecute");
    assertThat(String.join("\n", lines("holdfast.service"))).contains("MemoryMax=");
  }

  @Test
  void shouldStartWhatThePackageHoldsWithoutSecrets() throws IOException {
    Map<String, List<String>> unit = unit();
    assertThat(unit.get("ExecStart")).containsExactly(INSTALLED + "bin/holdfast serve");
    assertThat(DIST.resolve("holdfast")).isExecutable();
    assertThat(unit.get("Documentation"))
        .singleElement()
        .satisfies(
            page -> assertThat(ROOT.resolve(page.replace("file://" + INSTALLED, ""))).exists());
    assertThat(unit.get("Environment")).containsExactly("HOLDFAST_DATA=%S/holdfast/data");
    assertThat(unit.get("EnvironmentFile")).containsExactly("-/etc/holdfast/holdfast.env");
  }

  @Test
  void shouldSetOnlyVariablesThatAreKnown() throws IOException {
    List<String> known = known();
    for (String name : List.of("holdfast.service", "holdfast.env", "Containerfile")) {
      VARIABLE
          .matcher(Files.readString(DIST.resolve(name)))
          .results()
          .forEach(found -> assertThat(known).as(name).contains(found.group()));
    }
  }

  @Test
  void shouldKeepTokensWhereARevocationIsSeen() throws IOException {
    // A credential of systemd is a copy, and a file that is mounted by itself stays the one it was.
    assertThat(lines("holdfast.service")).noneMatch(line -> line.contains("Credential=tokens"));
    assertThat(lines("holdfast.env"))
        .contains(
            "#HOLDFAST_TOKENS=/var/lib/" + one("StateDirectory", unit()) + "/holdfast.tokens");
    assertThat(one("ENV")).contains("HOLDFAST_TOKENS=" + one("VOLUME") + "/holdfast.tokens");
  }

  private static String one(String setting, Map<String, List<String>> unit) {
    assertThat(unit).containsKey(setting);
    return String.join(" ", unit.get(setting));
  }

  /** The instructions of a container file, one a line. */
  private static List<String> instructions() throws IOException {
    String joined = String.join("\n", lines("Containerfile")).replace("\\\n", " ");
    return joined.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
  }

  private static String one(String instruction) throws IOException {
    List<String> found =
        instructions().stream().filter(line -> line.startsWith(instruction + " ")).toList();
    assertThat(found).as(instruction).hasSize(1);
    return found.getFirst().substring(instruction.length() + 1).strip().replaceAll(" +", " ");
  }

  @Test
  void shouldMakeAContainerThatRunsAsSomebodyElse() throws IOException {
    assertThat(one("FROM")).matches("docker\\.io/library/eclipse-temurin:25-jdk");
    assertThat(one("ADD"))
        .as("what ./holdfast package makes")
        .isEqualTo("holdfast-${VERSION}.tar.gz /opt/");
    assertThat(one("USER")).matches("[1-9][0-9]*:[1-9][0-9]*");
    assertThat(one("VOLUME")).isEqualTo("/var/lib/holdfast");
    assertThat(one("ENV")).contains("HOLDFAST_DATA=/var/lib/holdfast/data").doesNotContain("INSEC");
    assertThat(one("EXPOSE")).isEqualTo("6632");
    assertThat(one("RUN"))
        .contains(
            "/opt/holdfast-${VERSION}", INSTALLED + "bin/holdfast warm-up", "-o 6632 -g 6632");
    assertThat(instructions().indexOf("USER 6632:6632"))
        .as("who installs is not who runs")
        .isGreaterThan(instructions().indexOf("RUN " + one("RUN")));
  }

  @Test
  void shouldCallOnlyWhatTheLauncherKnows() throws IOException {
    assertThat(one("ENTRYPOINT")).isEqualTo("[\"" + INSTALLED + "bin/holdfast\"]");
    assertThat(one("CMD")).isEqualTo("[\"serve\"]");
    assertThat(one("HEALTHCHECK"))
        .endsWith("CMD [\"" + INSTALLED + "bin/holdfast\", \"is-ready\"]");
    assertThat(Files.readString(DIST.resolve("holdfast"))).contains("= is-ready", "  warm-up)");
  }

  @Test
  void shouldHaveScriptsThatAShellCanRead() throws Exception {
    for (Path script :
        List.of(
            ROOT.resolve("holdfast"),
            ROOT.resolve("mvnw"),
            ROOT.resolve(".mvn/wrapper/tools/unzip"),
            DIST.resolve("holdfast"),
            DIST.resolve("launch.sh"))) {
      Process bash =
          new ProcessBuilder("bash", "-n", script.toString()).redirectErrorStream(true).start();
      String said = new String(bash.getInputStream().readAllBytes(), UTF_8);
      assertThat(bash.waitFor()).as(said).isZero();
    }
  }

  @Test
  void shouldHaveNothingInTheFolderThatIsNotShipped() throws IOException {
    try (Stream<Path> files = Files.list(DIST)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "Containerfile",
              "README.md",
              "helm",
              "holdfast",
              "holdfast.env",
              "holdfast.service",
              "launch.sh",
              "prometheus-rules.yml");
    }
  }
}
