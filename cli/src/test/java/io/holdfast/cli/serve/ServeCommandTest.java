package io.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What {@code serve} says of itself, and what it refuses before it starts. */
@Tag("slow")
class ServeCommandTest {
  private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine commandLine =
      Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  private static List<OptionSpec> options() {
    return new CommandLine(new ServeCommand())
        .getCommandSpec().options().stream()
            .filter(option -> !option.usageHelp() && !option.versionHelp())
            .toList();
  }

  @Test
  void shouldTellEveryOptionWithItsVariable() {
    // when
    int status = commandLine.execute("serve", "--help");
    // then
    assertThat(status).isZero();
    assertThat(options()).hasSizeGreaterThan(15);
    for (OptionSpec option : options()) {
      assertThat(out.toString())
          .contains(option.longestName(), EnvironmentDefaults.nameOf(option.longestName()));
    }
  }

  @Test
  void shouldHaveEveryOptionInTheOperationsPage() throws IOException {
    // given
    List<String> page = Files.readAllLines(OPERATIONS);
    // then
    for (OptionSpec option : options()) {
      String name = option.longestName();
      String byDefault = option.defaultValue() == null ? "off" : option.defaultValue();
      String row =
          "| `%s` | `%s` | `%s` |".formatted(name, EnvironmentDefaults.nameOf(name), byDefault);
      assertThat(page).anyMatch(line -> line.startsWith(row), row);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--port x",
        "--port 65536",
        "--port -1",
        "--durability maybe",
        "--payload-max many",
        "--payload-max 4GiB",
        "--read-timeout 0",
        "--queues-max 0",
        "--no-such-option"
      })
  void shouldRefuseBadUsage(String arguments) {
    // when
    int status = commandLine.execute(("serve " + arguments).split(" "));
    // then
    assertThat(status).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains(arguments.split(" ")[0]).doesNotContain("Exception");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "192.0.2.1", "::"})
  void shouldRefuseToListenWhereOthersCanReachIt(String host) {
    // when
    int status = commandLine.execute("serve", "--host", host);
    // then
    assertThat(status).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("The address " + host + " can be reached from other machines")
        .contains("holdfast token create", "--tls-cert", "127.0.0.1", "--insecure");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--tokens missing|There is no file of tokens",
        "--tls-cert missing --tls-key missing|there is no such file"
      })
  void shouldNotStartWithoutTheFilesItIsTold(String told, @TempDir Path directory) {
    // given
    String[] parts = told.split("\\|");
    List<String> all = new ArrayList<>(List.of("serve", "--port", "0", "--data"));
    all.add(directory.resolve("data").toString());
    all.addAll(List.of(parts[0].split(" ")));
    // when
    int status = commandLine.execute(all.toArray(String[]::new));
    // then
    assertThat(status).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    assertThat(err.toString()).contains(parts[1]).doesNotContain("Exception");
  }

  @Test
  void shouldRefuseOneFileOfTlsWithoutTheOther() {
    assertThat(commandLine.execute("serve", "--tls-cert", "cert.pem"))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--tls-cert and --tls-key: expected both");
  }

  @ParameterizedTest
  @ValueSource(strings = {"example.org", "10.0.0.0/33", "10.0.0.0/x", "127.0.0.1,"})
  void shouldRefuseTrustedProxiesThatAreNoAddresses(String proxies) {
    assertThat(commandLine.execute("serve", "--trusted-proxies", proxies + ",nobody"))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--trusted-proxies: expected addresses or networks");
  }

  @Test
  void shouldSayThatAHostHasNoAddress() {
    // when
    int status = commandLine.execute("serve", "--host", "no host");
    // then
    assertThat(status).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    assertThat(err.toString().lines()).containsExactly("Unknown host: no host.");
  }

  @Test
  void shouldReadSizesAsPeopleWriteThem() {
    ByteSizeConverter size = new ByteSizeConverter();
    assertThat(size.convert("4096")).isEqualTo(4096);
    assertThat(size.convert("512KiB")).isEqualTo(512 << 10);
    assertThat(size.convert("16 mb")).isEqualTo(16 << 20);
    assertThat(size.convert("1g")).isEqualTo(1 << 30);
  }
}
