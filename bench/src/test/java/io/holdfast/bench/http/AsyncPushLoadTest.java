package io.holdfast.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AsyncPushLoadTest {
  private static final String QUEUE = "q";
  private static final int IN_FLIGHT = 16;

  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private Workload.Outcome run(Broker broker) throws InterruptedException {
    Target target = new Target(() -> new BrokerSession(broker), false, 50, 200);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return new AsyncPushLoad(
              QUEUE,
              IN_FLIGHT,
              request -> {
                most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                return CompletableFuture.supplyAsync(
                    () -> {
                      Result<Pushed> result = broker.push(request);
                      inFlight.decrementAndGet();
                      return result;
                    },
                    threads);
              })
          .run(target);
    }
  }

  @Test
  void shouldCountEveryPushThatWasAnswered() throws InterruptedException {
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory())) {
      // when
      Workload.Outcome outcome = run(broker);

      // then
      assertThat(outcome.rate()).isPositive();
      assertThat(outcome.pushed()).isPositive();
      assertThat(broker.queue(QUEUE).orThrow().counts().stored()).isEqualTo(outcome.pushed());
      assertThat(most.get()).isBetween(2, IN_FLIGHT);
    }
  }

  @Test
  void shouldFailIfAPushIsRefused() {
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory())) {
      // given
      broker.configure(ConfigureRequest.queue(QUEUE).set(QueueOption.MAX_SIZE, 10)).orThrow();

      // when, then
      assertThatThrownBy(() -> run(broker))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a push failed")
          .hasMessageContaining("FULL");
    }
  }
}
