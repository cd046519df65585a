package io.holdfast.client.acks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The example of the guide, and the sequence it describes, under the system's clock. */
class SeedExampleTest {
  @Test
  void shouldAckByBatchSizeAndTimeout() {
    List<QueueMessage> processed = new CopyOnWriteArrayList<>();
    List<AckResult> results = new CopyOnWriteArrayList<>();
    try (Broker broker = EmbeddedBroker.open(EngineConfig.inMemory());
        AckClient client =
            AckClient.on(
                broker,
                AckClientConfig.DEFAULTS.listener(
                    new AckListener() {
                      @Override
                      public void settled(AckResult result) {
                        results.add(result);
                      }
                    }))) {
      // given
      client.setAutoAck(true).setAckBatchSize(50).setAckTimeout(Duration.ofMillis(500));
      // when
      client.subscribeAsync(processed::add, "queue://orders");
      broker.push(new PushRequest(orders(120), null)).orThrow();
      Awaitility.await().untilAsserted(() -> assertThat(processed).hasSize(120));
      results.addAll(client.flushAcks());
      // then
      Awaitility.await()
          .untilAsserted(
              () -> assertThat(broker.stats().orThrow().totals().acked()).isEqualTo(120));
      assertThat(processed)
          .allMatch(QueueMessage::isAckable)
          .extracting(QueueMessage::topic)
          .containsOnly("queue://orders");
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(results.stream().flatMap(result -> result.bookmarks().stream()))
                      .hasSize(120)
                      .doesNotHaveDuplicates());
      assertThat(results)
          .allMatch(AckResult::allApplied)
          .allMatch(result -> result.verdicts().size() <= 50);
    }
  }

  private static List<NewMessage> orders(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> NewMessage.to("orders", ("order " + i).getBytes(StandardCharsets.UTF_8)))
        .toList();
  }
}
