package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code checkpoint} and {@code verify}, on data that is in use and data that is not. */
@Tag("slow")
@Timeout(WaitLimits.TEST_SECONDS)
class UpkeepCommandsTest {
  private static final String PUSH = "{\"items\":[{\"queue\":\"q\",\"payload\":1}]}";
  private static final String CHECKPOINTS = "/api/v1/system/checkpoints";

  @TempDir Path directory;

  private record Said(int status, String out, String err) {}

  private static Said run(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(words);
    return new Said(status, out.toString(), err.toString());
  }

  private Path data() {
    return directory.resolve("data");
  }

  private void fill() {
    try (Broker broker = EmbeddedBroker.open(EngineConfig.at(data()))) {
      for (int i = 0; i < 10; i++) {
        push(broker);
      }
    }
  }

  private static UUID push(Broker broker) {
    return broker
        .push(PushRequest.of(NewMessage.to("q", "{}".getBytes(StandardCharsets.UTF_8))))
        .orThrow()
        .messages()
        .getFirst()
        .id();
  }

  @Test
  void shouldCopyWhatWasAcknowledgedWhileMoreIsPushed() throws Exception {
    Set<UUID> acknowledged = ConcurrentHashMap.newKeySet();
    AtomicBoolean over = new AtomicBoolean();
    Set<UUID> before;
    try (ServedProcess served = ServedProcess.start(directory)) {
      // given
      String url = served.url();
      List<Thread> pushers =
          Stream.generate(() -> Thread.ofPlatform().start(() -> pushAll(url, over, acknowledged)))
              .limit(2)
              .toList();
      await().atMost(WaitLimits.WORKLOAD).until(() -> acknowledged.size() > 200);
      before = new HashSet<>(acknowledged);
      // when
      Said made = run("checkpoint", "--server", url, "--name", "first");
      int after = acknowledged.size();
      await().atMost(WaitLimits.WORKLOAD).until(() -> acknowledged.size() > after);
      over.set(true);
      for (Thread pusher : pushers) {
        pusher.join();
      }
      // then
      Path first = directory.resolve("data.checkpoints").resolve("first");
      assertThat(made.status()).as(made.err()).isZero();
      assertThat(made.out()).contains("created checkpoint " + first + ": ", "iB in ");
      Said again = run("checkpoint", "--server", url, "--name", "first");
      assertThat(again.status()).isEqualTo(1);
      assertThat(again.err()).contains("choose another name");
      assertThat(run("checkpoint", "--server", url, "--list").out()).contains("first", "NAME");
      Said running = run("verify", data().toString());
      assertThat(running.status()).isEqualTo(2);
      assertThat(running.err()).contains("is open already");
      assertThat(served.get("/health/ready").statusCode()).isEqualTo(200);
      Said sound = run("verify", first.toString());
      assertThat(sound.status()).as(sound.out()).isZero();
    }
    assertThat(idsOf(directory.resolve("data.checkpoints/first"))).containsAll(before);
  }

  @Test
  void shouldSetTheClockOfAStoppedBrokerBack() {
    // given a broker that ran while the system clock was years ahead
    TimeSource ahead = new ManualClock(Instant.now().plus(Duration.ofDays(2_000)));
    try (Broker broker = EmbeddedBroker.open(EngineConfig.at(data()), ahead)) {
      push(broker);
    }
    // when
    Said planned = run("repair-clock", data().toString());
    Said done = run("repair-clock", data().toString(), "--yes", "--json");
    Said again = run("repair-clock", data().toString());
    // then
    assertThat(planned.status()).as(planned.err()).isEqualTo(1);
    assertThat(planned.out()).contains("messages     1 rows", "Nothing was changed.", "--yes");
    assertThat(done.status()).as(done.err()).isZero();
    assertThat(done.out()).contains("\"needed\":true,\"changed\":true");
    assertThat(again.status()).isZero();
    assertThat(again.out()).contains("needs no repair");
    assertThat(run("verify", data().toString()).status()).isZero();
    try (Broker broker = EmbeddedBroker.open(EngineConfig.at(data()))) {
      assertThat(broker.stats().orThrow().clockAheadMs()).isLessThan(60_000);
      assertThat(broker.pop(PopRequest.queue("q")).orThrow().messages()).hasSize(1);
      assertThat(run("repair-clock", data().toString()).status()).isEqualTo(2);
    }
    assertThat(run("repair-clock", directory.resolve("none").toString()).err())
        .contains("There is no store");
  }

  private static void pushAll(String url, AtomicBoolean over, Set<UUID> acknowledged) {
    try (Broker broker = RemoteBroker.at(url)) {
      while (!over.get()) {
        acknowledged.add(push(broker));
      }
    }
  }

  /** All messages of a checkpoint, from a server that runs on it. */
  private Set<UUID> idsOf(Path checkpoint) throws IOException {
    Set<UUID> ids = new HashSet<>();
    try (ServedProcess second =
            ServedProcess.launch(
                directory, Map.of(), "--port", "0", "--data", checkpoint.toString());
        Broker broker = RemoteBroker.at(second.url())) {
      PopRequest all = PopRequest.queue("q").batch(1_000).autoAck(true);
      for (List<Delivery> some = broker.pop(all).orThrow().messages();
          !some.isEmpty();
          some = broker.pop(all).orThrow().messages()) {
        some.forEach(delivery -> ids.add(delivery.message().id()));
      }
    }
    return ids;
  }

  @Test
  void shouldNameCheckpointsByTimeAndRefuseNamesThatLeadElsewhere() throws Exception {
    try (ServedProcess served = ServedProcess.start(directory)) {
      assertThat(served.get(CHECKPOINTS).body()).isEqualTo("{\"checkpoints\":[]}");
      assertThat(served.post("/api/v1/push", PUSH).statusCode()).isEqualTo(201);
      var made = served.post(CHECKPOINTS, "");
      assertThat(made.statusCode()).isEqualTo(201);
      assertThat(made.body()).containsPattern("\"name\":\"[0-9]{8}T[0-9]{6}\\.[0-9]{3}Z\"");
      for (String name :
          List.of("..", ".", "", "a/b", "../x", "-x", "a b", "x.part", "x".repeat(101))) {
        var refused = served.post(CHECKPOINTS, "{\"name\":\"" + name + "\"}");
        assertThat(refused.statusCode()).as(name).isEqualTo(400);
        assertThat(refused.body()).contains("\"field\":\"name\"");
      }
      assertThat(run("checkpoint", "--server", served.url(), "--json").out())
          .contains("\"bytes\":", "\"directory\":");
    }
    try (Stream<Path> made = Files.list(directory.resolve("data.checkpoints"))) {
      assertThat(made).hasSize(2);
    }
  }

  @Test
  void shouldCopyDataThatIsNotInUse() {
    // given
    fill();
    Path target = directory.resolve("backups").resolve("copy");
    // when
    Said said = run("checkpoint", "--data", data().toString(), "--to", target.toString());
    // then
    assertThat(said.status()).as(said.err()).isZero();
    assertThat(said.out()).contains(target.toString());
    Said sound = run("verify", target.toString(), "--json");
    assertThat(sound.status()).isZero();
    assertThat(sound.out()).contains("\"sound\":true", "\"messages\":10");
    Said again = run("checkpoint", "--data", data().toString(), "--to", target.toString());
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err()).contains("exists already");
  }

  @Test
  void shouldSayWhatIsWrongWithUsage() {
    assertThat(run("checkpoint", "--data", "x").status()).isEqualTo(2);
    Said nothing =
        run("checkpoint", "--data", data().toString(), "--to", directory.resolve("t").toString());
    assertThat(nothing.status()).isEqualTo(1);
    assertThat(nothing.err()).contains("There is no store");
    assertThat(data()).doesNotExist();
    Said unlooked = run("verify", data().toString());
    assertThat(unlooked.status()).isEqualTo(2);
    assertThat(unlooked.err()).contains("There is no store");
    assertThat(run("verify").status()).isEqualTo(2);
  }

  @Test
  void shouldSayWhatIsWrongWithData() throws IOException {
    // given
    fill();
    assertThat(run("verify", data().toString()).out()).contains("10 messages", "no errors");
    Path sorted;
    try (Stream<Path> files = Files.list(data())) {
      sorted = files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
    }
    try (RandomAccessFile file = new RandomAccessFile(sorted.toFile(), "rw")) {
      file.seek(20);
      file.write(99);
    }
    // when
    Said said = run("verify", data().toString());
    Said json = run("verify", data().toString(), "--json");
    // then
    assertThat(said.status()).isEqualTo(1);
    assertThat(said.out()).contains("file " + sorted.getFileName() + ": it is damaged", "error");
    assertThat(said.out()).doesNotContain("no errors");
    assertThat(json.status()).isEqualTo(1);
    assertThat(json.out()).contains("\"sound\":false", sorted.getFileName().toString());
  }
}
