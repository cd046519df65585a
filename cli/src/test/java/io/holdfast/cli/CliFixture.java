package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.SteadyPort;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server with a clock that the test moves, and the command line that asks it. */
public final class CliFixture implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** What a command printed, and how it ended. */
  public record Ran(int exit, String out, String err) {
    public JsonNode json() {
      return JSON.readTree(out);
    }
  }

  private final ManualClock clock = new ManualClock();
  private final EngineConfig config;
  private EmbeddedBroker broker;
  private HoldfastServer server;
  private final int port = SteadyPort.find();
  private Ran last = new Ran(0, "", "");

  private CliFixture(EngineConfig config) {
    this.config = config;
    broker = EmbeddedBroker.open(config, clock);
    server = HoldfastServer.start(ServerConfig.defaults().port(port), broker);
  }

  public static CliFixture start() {
    return new CliFixture(EngineConfig.inMemory());
  }

  /** A server that can be restarted. */
  public static CliFixture start(Path directory) {
    return new CliFixture(EngineConfig.at(directory));
  }

  public Broker broker() {
    return broker;
  }

  public String url() {
    return "http://127.0.0.1:" + server.port();
  }

  public void advance(Duration time) {
    clock.advance(time);
  }

  public void stop() {
    server.close();
  }

  /** Starts the server again, where it was. */
  public void startAgain() {
    broker = EmbeddedBroker.open(config, clock);
    server = HoldfastServer.start(ServerConfig.defaults().port(port), broker);
  }

  public Ran run(FakeTerminal terminal, String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--server";
    all[arguments.length + 1] = url();
    last = plain(terminal, all);
    return last;
  }

  /** Runs a command that need not ask the server. */
  public static Ran plain(FakeTerminal terminal, String... arguments) {
    StringWriter err = new StringWriter();
    int exit =
        Main.commandLine(terminal, arguments).setErr(new PrintWriter(err, true)).execute(arguments);
    return new Ran(exit, terminal.printed(), err.toString());
  }

  /** Runs a command that has to go well; answers what it printed. */
  public String ok(String... arguments) {
    Ran ran = run(new FakeTerminal(), arguments);
    assertThat(ran.exit()).as(ran.toString()).isZero();
    assertThat(ran.err()).isEmpty();
    return ran.out();
  }

  /** Runs a command that has to go well; answers its JSON. */
  public JsonNode json(String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = "--json";
    String printed = ok(all);
    assertThat(printed.lines()).as(printed).hasSize(1);
    return last.json();
  }

  /** Runs a command that has to fail; answers what it said, which is one line. */
  public String fails(int exit, String... arguments) {
    Ran ran = run(new FakeTerminal(), arguments);
    assertThat(ran.exit()).as(ran.toString()).isEqualTo(exit);
    assertThat(ran.err().lines()).as(ran.toString()).hasSize(1);
    assertThat(ran.err()).doesNotContain("Exception");
    return ran.err().strip();
  }

  @Override
  public void close() {
    server.close();
    broker.close();
  }
}
