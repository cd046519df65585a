package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.store.StoreException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The options of a queue in its row: what they were when the queue was made, in every version. */
class OptionsRowTest {
  /** What a row stands for that names no option; never changes, only new options are added. */
  private static final String UNNAMED =
      """
      namespace=
      task=
      delivery=ordered
      onFailure=block
      leaseTime=300
      retryLimit=3
      retryDelay=1000
      retryFactor=2
      retryDelayMax=30000
      retryJitter=false
      deliveryLimit=20
      deadLetterQueue=true
      dlqAfterMaxRetries=true
      deadRetentionSeconds=0
      delayedProcessing=0
      windowBuffer=0
      dedupWindowSeconds=3600
      maxSize=0
      ttl=0
      maxWaitTimeSeconds=0
      priority=0
      retentionSeconds=0
      completedRetentionSeconds=3600
      maxInFlight=100000
      requireLease=false
      track=false
      encryptionEnabled=false
      """;

  private static byte[] bytes(OptionsRow row, QueueOptions options) {
    ByteWriter out = new ByteWriter(16);
    row.write(out, options);
    return out.done();
  }

  private static QueueOptions read(OptionsRow row, byte[] bytes) {
    return row.read(new ByteReader(bytes), "orders");
  }

  @Test
  void shouldStandForTheSameValuesInEveryVersion() {
    QueueOptions read = read(OptionsRow.STORED, new byte[] {0});

    assertThat(
            Arrays.stream(QueueOption.values())
                .map(option -> option.wireName() + "=" + read.get(option) + "\n")
                .collect(Collectors.joining()))
        .as("If a default changes, OptionsRow.STORED keeps the first one.")
        .isEqualTo(UNNAMED);
  }

  @Test
  void shouldKeepTheDefaultsThatAQueueWasMadeWith() {
    // given: a version in which leases last 60 seconds by default; before it was 300
    QueueOptions first = QueueOptions.DEFAULTS.with(QueueOption.LEASE_TIME, 300);
    QueueOptions later = QueueOptions.DEFAULTS.with(QueueOption.LEASE_TIME, 60);
    OptionsRow row = new OptionsRow(first);

    // when
    byte[] oldQueue = bytes(row, first);
    byte[] newQueue = bytes(row, later);

    // then
    assertThat(read(row, oldQueue)).isEqualTo(first);
    assertThat(read(row, newQueue)).isEqualTo(later);
    assertThat(oldQueue).containsExactly(0);
  }

  @Test
  void shouldKeepRowsOfQueuesWithoutOptionsSmall() {
    // given
    ShardRun shard = new ShardRun();

    // when
    shard.push(ShardRun.message("1"));

    // then
    assertThat(shard.queue("q").row()).hasSizeLessThanOrEqualTo(16);
  }

  @Test
  void shouldRefuseAnOptionOfANewerVersion() {
    // given
    byte[] bytes = new ByteWriter(16).varint(1).text("color").byte1('t').text("red").done();

    // then
    assertThatThrownBy(() -> read(OptionsRow.STORED, bytes))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith(
            "The queue orders has the option color = red, which this version of Holdfast does not"
                + " know (color: expected one of [")
        .hasMessageEndingWith("). Run the newer version that stored it.");
  }

  @Test
  void shouldRefuseAValueOfANewerVersion() {
    // given
    byte[] bytes = new ByteWriter(16).varint(1).text("delivery").byte1('t').text("magic").done();

    // then
    assertThatThrownBy(() -> read(OptionsRow.STORED, bytes))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the option delivery = magic");
  }
}
