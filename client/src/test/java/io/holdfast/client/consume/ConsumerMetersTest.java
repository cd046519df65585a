package io.holdfast.client.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.ClientFixture;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConsumerMetersTest extends ClientFixture {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double count(String name, String... tags) {
    return registry.get("holdfast.consumer." + name).tags(tags).counter().count();
  }

  @Test
  void shouldCountAndTimeWhatConsumersDo() {
    // given
    push("1", "2", "bad", "4");
    // when
    try (Consumer consumer =
        holdfast
            .queue(QUEUE)
            .group("g")
            .batch(4)
            .each()
            .listener(new ConsumerMeters(registry))
            .consume(
                message -> {
                  clock.advance(Duration.ofMillis(10));
                  if (message.text().equals("bad")) {
                    throw new IllegalStateException("bad");
                  }
                })) {
      eventually(() -> assertThat(consumer.counts().released()).isEqualTo(1));
    }
    // then
    assertThat(count("delivered", "queue", QUEUE, "group", "g")).isEqualTo(4);
    assertThat(count("acked")).isEqualTo(2);
    assertThat(count("nacked", "end", "retry")).isEqualTo(1);
    assertThat(count("nacked", "end", "dead")).isZero();
    assertThat(count("released")).isEqualTo(1);
    assertThat(registry.get("holdfast.consumer.handler").tag("outcome", "success").timer())
        .satisfies(
            timer -> {
              assertThat(timer.count()).isEqualTo(2);
              assertThat(timer.mean(java.util.concurrent.TimeUnit.MILLISECONDS)).isEqualTo(10);
            });
    assertThat(registry.get("holdfast.consumer.handler").tag("outcome", "failure").timer().count())
        .isEqualTo(1);
  }
}
