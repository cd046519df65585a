package io.holdfast.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.ChildJvm;
import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.Report;
import io.holdfast.cli.Main;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.peers.RedisKind;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small runs of {@code bench peers} with a real server. */
@Tag("slow")
class PeersRunTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** A peer that cannot be measured. */
  private record BrokenKind(String name, @Nullable String missing) implements PeerKind {
    @Override
    public String durability() {
      return "none";
    }

    @Override
    public String use() {
      return "as it is";
    }

    @Override
    public Peer start(Path place) throws IOException, InterruptedException {
      ProcessBuilder program = new ProcessBuilder("sh", "-c", "echo no room; exit 1");
      ChildProcess process = ChildProcess.start(name, program, place.resolve("log"));
      return PeerPrograms.connect(
          process,
          () -> {
            throw new IOException("nobody listens");
          });
    }
  }

  private static List<String> serve() {
    return new ChildJvm(Main.class).command(List.of("serve")).command();
  }

  private PeersRun run(Set<String> only, Set<String> peers, List<PeerKind> known) {
    PeersRun.Plan plan =
        new PeersRun.Plan(directory, serve(), Durability.FSYNC, 1, 1, 1_000, peers);
    Report report = new Report(new PrintWriter(out), new PrintWriter(err, true), true);
    return new PeersRun(report, only, plan, known);
  }

  private List<String> figures() {
    return out.toString()
        .lines()
        .map(line -> line.replaceAll(".\"bench\":\"([^\"]*)\",\"rate\":([0-9]).*", "$1"))
        .toList();
  }

  @Test
  @Tag("long")
  void shouldGiveHoldfastEveryWorkload() throws Exception {
    // when
    run(Set.of(), Set.of(), List.of()).run();

    // then
    assertThat(figures())
        .containsExactly(
            "holdfast-memory-start",
            "holdfast-memory-after",
            "holdfast-push-1",
            "holdfast-push-16",
            "holdfast-push-64",
            "holdfast-publish-100",
            "holdfast-publish-1000",
            "holdfast-drain-100",
            "holdfast-flow-100",
            "holdfast-latency-2000-p50",
            "holdfast-latency-2000-p99");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldCompareWithAPeerInTheSameRun() throws Exception {
    // given
    PeerKind redis = new RedisKind();
    Assumptions.assumeTrue(redis.missing() == null, () -> "Not run: " + redis.missing());

    // when
    run(Set.of("push-1", "latency-2000"), Set.of(), List.of(redis)).run();

    // then
    assertThat(figures())
        .containsExactly(
            "holdfast-push-1",
            "redis-push-1",
            "holdfast-latency-2000-p50",
            "redis-latency-2000-p50",
            "holdfast-latency-2000-p99",
            "redis-latency-2000-p99");
    assertThat(out.toString().lines().filter(line -> line.contains("redis-")))
        .allMatch(line -> line.matches(".*\"ratio\":[0-9.]+,.*"));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldSayWhatIsNotInstalled() throws Exception {
    // when
    run(Set.of("push-1"), Set.of(), List.of(new BrokenKind("pigeon", "buy a pigeon"))).run();

    // then
    assertThat(figures()).containsExactly("holdfast-push-1");
    assertThat(err.toString()).contains("Not measured: pigeon: buy a pigeon");
  }

  @Test
  void shouldFailIfAPeerThatWasNamedIsNotInstalled() {
    List<PeerKind> known = List.of(new BrokenKind("pigeon", "buy a pigeon"));
    assertThatThrownBy(() -> run(Set.of("push-1"), Set.of("pigeon"), known).run())
        .isInstanceOf(CheckFailedException.class)
        .hasMessage("pigeon: buy a pigeon");
  }

  @Test
  void shouldMeasureTheOthersIfAPeerFailsAndFailAtTheEnd() {
    // given
    List<PeerKind> known = List.of(new BrokenKind("pigeon", null));

    // when, then
    assertThatThrownBy(() -> run(Set.of("push-1"), Set.of(), known).run())
        .isInstanceOf(CheckFailedException.class)
        .hasMessageContaining("pigeon failed at its start")
        .hasMessageContaining("no room");
    assertThat(figures()).containsExactly("holdfast-push-1");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldLeaveNothingBehindWhenItIsInterrupted() throws Exception {
    // given a run in a process of its own that has started its servers
    Path said = directory.resolve("said.txt");
    Path work = Files.createDirectory(directory.resolve("work"));
    String arguments = "bench peers --only push-1 --seconds 600 --dir " + work;
    Process bench =
        new ChildJvm(Main.class)
            .command(List.of(arguments.split(" ")))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    List<ProcessHandle> servers = new ArrayList<>();
    try {
      await()
          .atMost(WaitLimits.WORKLOAD)
          .until(() -> Files.readString(said).contains("starting holdfast") && hasData(work));
      bench.descendants().forEach(servers::add);
      assertThat(servers).isNotEmpty();

      // when
      bench.destroy();

      // then
      assertThat(bench.waitFor(WaitLimits.WORKLOAD.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(servers).noneMatch(ProcessHandle::isAlive);
      assertThat(work).isEmptyDirectory();
    } finally {
      servers.forEach(ProcessHandle::destroyForcibly);
      bench.destroyForcibly();
    }
  }

  private static boolean hasData(Path work) throws IOException {
    try (Stream<Path> files = Files.walk(work)) {
      return files.anyMatch(file -> file.endsWith("data"));
    }
  }
}
