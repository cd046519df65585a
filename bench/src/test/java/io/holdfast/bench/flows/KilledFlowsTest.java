package io.holdfast.bench.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.UnreachableException;
import io.holdfast.api.queue.Counts;
import io.holdfast.bench.ChildJvm;
import io.holdfast.bench.http.ServerProcess;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.testkit.SteadyPort;
import io.holdfast.testkit.TestScale;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Flows whose server and workers are killed again and again, and come back. */
@Tag("slow")
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledFlowsTest {
  private static final int ROUNDS = TestScale.rounds(5, 20);
  private static final int WORKERS = 2;
  private static final long SEED = 20_261_116;
  private static final Duration PATIENCE = WaitLimits.WORKLOAD;
  private static final int AHEAD_MAX = 40;

  @TempDir Path directory;

  /** What was started, by id, with its input. */
  private final Map<String, Integer> started = new ConcurrentSkipListMap<>();

  private final List<Process> workers = new ArrayList<>();
  private final int port = SteadyPort.find();

  private Path ledger() {
    return directory.resolve("ledger");
  }

  private ServerProcess startServer() throws IOException {
    ChildJvm jvm = ServerProcess.jvm().nativeLibraryIn(directory.resolve("native"));
    ServerProcess server =
        ServerProcess.start(
            jvm, directory.resolve("data"), directory.resolve("log"), Durability.FSYNC, port);
    assertThat(server.port()).isEqualTo(port);
    return server;
  }

  private Process startWorker() throws IOException {
    ChildJvm jvm = new ChildJvm(FlowWorkerChild.class).option("-XX:TieredStopAtLevel=1");
    ProcessBuilder command = jvm.command(List.of(address(), ledger().toString()));
    command.redirectErrorStream(true);
    command.redirectOutput(
        ProcessBuilder.Redirect.appendTo(directory.resolve("worker-log").toFile()));
    return command.start();
  }

  private String address() {
    return "http://127.0.0.1:" + port;
  }

  @AfterEach
  void stopWorkers() {
    workers.forEach(Process::destroyForcibly);
  }

  @Test
  void shouldEndEveryFlowOnceWithItsResult() throws Exception {
    // given
    Files.createFile(ledger());
    ServerProcess server = startServer();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(startWorker());
    }
    Random random = new Random(SEED);
    AtomicBoolean starting = new AtomicBoolean(true);
    try (RemoteBroker broker = RemoteBroker.at(address());
        Flows flows = Flows.on(broker)) {
      Thread starter = Thread.ofPlatform().start(() -> startFlows(flows, starting));
      // when
      for (int round = 0; round < ROUNDS; round++) {
        long enough = Files.size(ledger()) + 100 + random.nextInt(1_000);
        awaitProgress(flows, enough);
        int victim = random.nextInt(WORKERS + 2);
        if (victim < WORKERS) {
          kill(workers.get(victim));
          workers.set(victim, startWorker());
        } else {
          assertThat(server.kill()).isTrue();
          server = startServer();
        }
      }
      starting.set(false);
      starter.join();
      // then
      assertThat(started.size()).isGreaterThan(ROUNDS);
      FlowStore store = new FlowStore(broker, new Keys("flows"));
      Set<String> done = new HashSet<>(Files.readAllLines(ledger(), StandardCharsets.UTF_8));
      started.forEach((id, input) -> assertEndedOnce(flows, store, id, input));
      done.addAll(Files.readAllLines(ledger(), StandardCharsets.UTF_8));
      started.keySet().forEach(id -> assertAllCallsInLedger(id, done));
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(left(broker, "flows")).isZero();
                assertThat(left(broker, "flows.work")).isZero();
              });
    } finally {
      starting.set(false);
      server.kill();
    }
  }

  private void awaitProgress(Flows flows, long enough) throws IOException {
    try {
      await().atMost(PATIENCE).until(() -> Files.size(ledger()) > enough);
    } catch (ConditionTimeoutException stalled) {
      List<String> log =
          Files.readAllLines(directory.resolve("worker-log"), StandardCharsets.UTF_8);
      List<FlowInfo> open = new ArrayList<>();
      started.keySet().forEach(id -> flows.find(id).ifPresent(open::add));
      open.removeIf(flow -> flow.status().isEnded());
      String end = String.join("\n", log.subList(Math.max(0, log.size() - 40), log.size()));
      throw new AssertionError("no progress; open: " + open + "; workers: " + end, stalled);
    }
  }

  private static void kill(Process worker) throws InterruptedException {
    assertThat(worker.isAlive()).isTrue();
    worker.toHandle().destroyForcibly();
    worker.waitFor();
  }

  private static long left(RemoteBroker broker, String queue) {
    Counts counts = broker.queue(queue).orThrow().counts();
    return counts.waiting() + counts.returned() + counts.delayed() + counts.inFlight();
  }

  private void startFlows(Flows flows, AtomicBoolean starting) {
    for (int number = 0; starting.get(); number++) {
      var kind = Sample.KINDS.get(number % Sample.KINDS.size());
      String id = kind.name() + "-" + number;
      int input = kind.name().equals("loop") ? 0 : number % 100;
      insist(starting, () -> flows.start(kind, id, input));
      if (kind.name().equals("ask")) {
        insist(starting, () -> flows.raise(id, Sample.EVENT, input, "event-of-" + id));
      }
      started.put(id, input);
      awaitRoom(flows, starting, number);
    }
  }

  /** Starts no more flows than are worked off. */
  private void awaitRoom(Flows flows, AtomicBoolean starting, int number) {
    int old = number - AHEAD_MAX;
    if (old >= 0) {
      String id = Sample.KINDS.get(old % Sample.KINDS.size()).name() + "-" + old;
      insist(starting, () -> flows.awaitEnd(id, PATIENCE));
    }
  }

  /** A server that is down comes back; what was asked of it may be asked again. */
  private static void insist(AtomicBoolean wanted, Runnable request) {
    boolean asked = false;
    while (!asked) {
      try {
        request.run();
        asked = true;
      } catch (UnreachableException down) {
        if (!wanted.get()) {
          throw down;
        }
      }
    }
  }

  private static String kind(String id) {
    return id.substring(0, id.indexOf('-'));
  }

  private void assertEndedOnce(Flows flows, FlowStore store, String id, int input) {
    FlowInfo flow = flows.awaitEnd(id, PATIENCE);
    assertThat(flow.status()).as("%s: %s", id, flow.failure()).isEqualTo(FlowStatus.COMPLETED);
    byte[] output = flow.output();
    assertThat(output).isNotNull();
    assertThat(new String(output, StandardCharsets.UTF_8))
        .as(id)
        .isEqualTo(Integer.toString(Sample.expected(kind(id), input)));
    int ends = 0;
    for (long execution = 1; execution <= flow.execution(); execution++) {
      List<Event> history = store.events(id, execution);
      ends += (int) history.stream().filter(Event.FlowCompleted.class::isInstance).count();
      assertThat(history.stream().filter(Event.End.class::isInstance)).as(id).hasSize(1);
      assertThat(history.getLast()).as(id).isInstanceOf(Event.End.class);
      assertEveryTaskEndedOnce(id, history);
    }
    assertThat(ends).as("completions of " + id).isEqualTo(1);
  }

  private static void assertEveryTaskEndedOnce(String id, List<Event> history) {
    Map<Long, Integer> ends = new TreeMap<>();
    for (Event event : history) {
      switch (event) {
        case Event.Completed e -> ends.merge(e.task(), 1, Integer::sum);
        case Event.Failed e -> ends.merge(e.task(), 1, Integer::sum);
        case Event.Fired e -> ends.merge(e.task(), 1, Integer::sum);
        default -> {}
      }
    }
    assertThat(ends.values()).as("ends of the tasks of " + id).containsOnly(1);
  }

  private static void assertAllCallsInLedger(String id, Set<String> done) {
    long calls = done.stream().filter(key -> key.startsWith(id + "/")).count();
    assertThat(calls).as("calls of " + id).isEqualTo(Sample.calls(kind(id)));
  }
}
