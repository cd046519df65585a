package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.PurgeRequest;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BulkTest {
  private static final int PARTITIONS = 2_100;

  private final Broker broker = EmbeddedBroker.open(EngineConfig.inMemory(), TimeSource.SYSTEM);

  @BeforeEach
  void fill() {
    byte[] payload = "m".getBytes(StandardCharsets.UTF_8);
    broker.pop(PopRequest.queue("q")).orThrow();
    broker
        .push(
            PushRequest.of(
                IntStream.range(0, PARTITIONS)
                    .mapToObj(i -> NewMessage.to("q", payload).partition("p" + i))
                    .toArray(NewMessage[]::new)))
        .orThrow();
  }

  @AfterEach
  void close() {
    broker.close();
  }

  @Test
  void shouldAnswerASeekWhenAllPartitionsAreDone() {
    // when
    Sought end =
        broker
            .seek(new SeekRequest("q", PopRequest.QUEUE_MODE, null, new SeekRequest.To.End()))
            .orThrow();
    Sought beginning =
        broker
            .seek(new SeekRequest("q", PopRequest.QUEUE_MODE, null, new SeekRequest.To.Beginning()))
            .orThrow();

    // then
    assertThat(end).isEqualTo(new Sought(PARTITIONS, false, 0));
    assertThat(beginning).isEqualTo(new Sought(PARTITIONS, false, PARTITIONS));
  }

  @Test
  void shouldAnswerAPurgeWhenAllPartitionsAreDone() {
    // when
    Affected purged = broker.purge(new PurgeRequest("q", null)).orThrow();

    // then
    assertThat(purged.count()).isEqualTo(PARTITIONS);
    assertThat(broker.pop(PopRequest.queue("q")).orThrow().messages()).isEmpty();
    assertThat(broker.purge(new PurgeRequest("q", null)).orThrow().count()).isZero();
  }
}
