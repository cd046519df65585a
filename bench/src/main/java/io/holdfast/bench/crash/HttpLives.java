package io.holdfast.bench.crash;

import io.holdfast.bench.ChildJvm;
import io.holdfast.bench.http.ServerProcess;
import io.holdfast.bench.http.Wire;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Lives of a server whose clients, in this process, outlive it. */
final class HttpLives implements Lives {
  private static final int WORKERS = 6;
  private static final int EARLY_KILL_ONE_IN = 8;
  private static final int START_MS = 500;

  private final Path root;
  private final int answersMax;
  private final long seed;
  private boolean configured;

  HttpLives(Path root, int answersMax, long seed) {
    this.root = root;
    this.answersMax = answersMax;
    this.seed = seed;
  }

  @Override
  public End live(int round, Random chance) throws IOException, InterruptedException {
    configure();
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    ServerProcess server = start();
    if (chance.nextInt(EARLY_KILL_ONE_IN) == 0) {
      Thread.sleep(chance.nextInt(START_MS));
      return end(server, lines);
    }
    int port = server.awaitPort();
    if (port == 0) {
      return end(server, lines);
    }
    AnswerCount answers = new AnswerCount();
    List<Wire> wires = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      Wire wire = Wire.Kind.SOCKET.open(port);
      wires.add(wire);
      HttpCrashWorker worker =
          new HttpCrashWorker(
              wire,
              round,
              i,
              (seed + round) * 31 + i,
              line -> {
                lines.add(line.text());
                answers.add(line.text());
              });
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    worker.work(Long.MAX_VALUE);
                    answers.end();
                  }));
    }
    answers.await(1 + chance.nextInt(answersMax));
    End end = end(server, lines);
    for (Thread thread : threads) {
      thread.join();
    }
    wires.forEach(Wire::close);
    return new End(List.copyOf(lines), end.complaint());
  }

  /** The options of the queues outlive the kills. */
  private void configure() {
    if (!configured) {
      try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.at(root.resolve("data")))) {
        CrashQueues.configure(broker);
      }
      configured = true;
    }
  }

  private ServerProcess start() throws IOException {
    ChildJvm jvm =
        ServerProcess.jvm()
            .option("-XX:TieredStopAtLevel=1")
            .option("-XX:+UseSerialGC")
            .option("-Xmx128m")
            .nativeLibraryIn(root.resolve("native"));
    return ServerProcess.start(
        jvm, root.resolve("data"), root.resolve("server.log"), Durability.FSYNC);
  }

  private static End end(ServerProcess server, List<String> lines)
      throws IOException, InterruptedException {
    boolean killed = server.kill();
    return new End(lines, killed ? "" : server.complaint());
  }
}
