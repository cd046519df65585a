package io.holdfast.bench.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.bench.ChildJvm;
import io.holdfast.client.Holdfast;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.testkit.WaitLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A consumer that is stopped in the middle of its work and wakes when its lease is over. */
@Tag("slow")
class StoppedConsumerTest {
  @TempDir Path directory;
  private final List<String> said = new CopyOnWriteArrayList<>();

  private void listen(Process child) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void signal(Process child, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(child.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  private void awaitSaid(String what) {
    await().atMost(WaitLimits.WORKLOAD).until(() -> said.contains(what));
  }

  @Test
  void shouldBeRefusedWhenItWakesAndBeTold() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.at(directory.resolve("data")));
    try (HoldfastServer server = HoldfastServer.start(ServerConfig.defaults().port(0), broker)) {
      String address = "http://127.0.0.1:" + server.port();
      Process child =
          new ChildJvm(ConsumerChild.class)
              .command(List.of(address))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (Holdfast holdfast = Holdfast.connect(address)) {
        Thread.ofVirtual().start(() -> listen(child));
        awaitSaid("READY");
        // given
        holdfast.queue("q").push("one");
        awaitSaid("BEGUN one");
        // when
        signal(child, "STOP");
        Popped taken =
            holdfast.broker().pop(PopRequest.queue("q").waitMs(60_000).leaseMs(60_000)).orThrow();
        assertThat(taken.messages()).hasSize(1);
        assertThat(taken.messages().getFirst().attempt()).isEqualTo(2);
        assertThat(
                holdfast
                    .broker()
                    .settle(SettleRequest.of(Settle.ackAll(taken.leaseId())))
                    .orThrow()
                    .allApplied())
            .isTrue();
        signal(child, "CONT");
        child.getOutputStream().write('\n');
        child.getOutputStream().flush();
        // then
        await()
            .atMost(WaitLimits.WORKLOAD)
            .until(() -> said.contains("LOST") || said.contains("REFUSED STALE_LEASE"));
        holdfast.queue("q").push("two");
        awaitSaid("ACKED 1");
        assertThat(said).contains("HANDLED two");
        assertThat(said.stream().filter("BEGUN one"::equals)).hasSize(1);
        assertThat(holdfast.broker().queue("q").orThrow().counts().dead()).isZero();
        child.getOutputStream().close();
        assertThat(child.waitFor(WaitLimits.WORKLOAD.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } finally {
        child.destroyForcibly();
      }
    }
  }
}
