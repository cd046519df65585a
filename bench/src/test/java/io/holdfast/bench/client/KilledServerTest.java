package io.holdfast.bench.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.Counts;
import io.holdfast.bench.ChildJvm;
import io.holdfast.bench.http.ServerProcess;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.consume.HeldMessage;
import io.holdfast.client.produce.BufferOptions;
import io.holdfast.client.produce.Outgoing;
import io.holdfast.client.produce.PushBuffer;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.testkit.SteadyPort;
import io.holdfast.testkit.TestScale;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A producer and two groups of consumers, one of which fetches ahead, whose server is killed again
 * and again, and comes back.
 */
@Tag("slow")
class KilledServerTest {
  private static final int ROUNDS = TestScale.rounds(4, 20);
  private static final int PARTITIONS = 4;
  private static final long SEED = 20_261_116;

  @TempDir Path directory;

  private final Map<String, CompletableFuture<PushedMessage>> pushed = new ConcurrentHashMap<>();

  /** What one group was given. */
  private static final class Seen {
    private final Map<String, Set<Integer>> handled = new ConcurrentHashMap<>();
    private final Map<String, String> wrong = new ConcurrentHashMap<>();
    private final Map<String, Integer> lastInOrder = new ConcurrentHashMap<>();

    /** A delivery is handled once; a message only again if it was delivered again. */
    void handle(HeldMessage message) {
      String text = message.text();
      boolean first =
          handled
              .computeIfAbsent(text, name -> ConcurrentHashMap.newKeySet())
              .add(message.attempt());
      if (!first) {
        wrong.put(text, "attempt " + message.attempt());
      }
      int number = Integer.parseInt(text.substring(text.indexOf('-') + 1));
      lastInOrder.merge(
          message.partition(),
          number,
          (last, next) -> {
            // What comes again may be older; what is new is the next.
            if (next > last + 1) {
              wrong.put(text, "came after " + last);
            }
            return Math.max(last, next);
          });
    }
  }

  private final Seen plain = new Seen();
  private final Seen ahead = new Seen();

  private ServerProcess start(int port) throws IOException {
    ChildJvm jvm = ServerProcess.jvm().nativeLibraryIn(directory.resolve("native"));
    return ServerProcess.start(
        jvm, directory.resolve("data"), directory.resolve("log"), Durability.FSYNC, port);
  }

  private static Consumer consume(Holdfast holdfast, String group, boolean prefetch, Seen seen) {
    return holdfast
        .queue("q")
        .group(group)
        .batch(10)
        .concurrency(PARTITIONS)
        .prefetch(prefetch)
        .leaseTime(Duration.ofSeconds(1))
        .each()
        .consume(seen::handle);
  }

  @Test
  void shouldLoseNothingAndHandleEveryDeliveryOnce() throws Exception {
    // given
    int port = SteadyPort.find();
    ServerProcess server = start(port);
    assertThat(server.port()).isEqualTo(port);
    AtomicBoolean producing = new AtomicBoolean(true);
    Random random = new Random(SEED);
    try (Holdfast holdfast = Holdfast.connect("http://127.0.0.1:" + port);
        PushBuffer buffer =
            holdfast.queue("q").buffer(BufferOptions.of(20, Duration.ofMillis(5)).capacity(200));
        Consumer _ = consume(holdfast, "plain", false, plain);
        Consumer _ = consume(holdfast, "ahead", true, ahead)) {
      Thread producer = Thread.ofPlatform().start(() -> produce(buffer, producing));
      // when
      for (int round = 0; round < ROUNDS; round++) {
        int enough = plain.handled.size() + 50 + random.nextInt(500);
        int enoughAhead = ahead.handled.size() + 50;
        await()
            .atMost(WaitLimits.WORKLOAD)
            .until(() -> plain.handled.size() > enough && ahead.handled.size() > enoughAhead);
        assertThat(server.kill()).isTrue();
        server = start(port);
        assertThat(server.port()).isEqualTo(port);
      }
      producing.set(false);
      producer.join();
      buffer.flush();
      // then
      pushed.forEach((text, future) -> assertThat(future).as(text).isCompleted());
      for (Seen seen : List.of(plain, ahead)) {
        await()
            .atMost(WaitLimits.WORKLOAD)
            .untilAsserted(() -> assertThat(seen.handled.keySet()).isEqualTo(pushed.keySet()));
        assertThat(seen.wrong).isEmpty();
      }
      await()
          .atMost(WaitLimits.WORKLOAD)
          .untilAsserted(
              () -> {
                Counts counts = holdfast.broker().queue("q").orThrow().counts();
                assertThat(counts.waiting() + counts.inFlight() + counts.returned()).isZero();
              });
      assertThat(holdfast.broker().queue("q").orThrow().counts().dead()).isZero();
    } finally {
      server.close();
    }
  }

  private void produce(PushBuffer buffer, AtomicBoolean producing) {
    for (int i = 0; producing.get(); i++) {
      String partition = "p" + i % PARTITIONS;
      String text = partition + "-" + i / PARTITIONS;
      pushed.put(text, buffer.push(partition, Outgoing.text(text)));
    }
  }
}
