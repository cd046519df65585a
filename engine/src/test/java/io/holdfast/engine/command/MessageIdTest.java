package io.holdfast.engine.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.EngineConfig;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessageIdTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  @Test
  void shouldReadWhatItWrites() {
    Random random = new Random(5);
    for (int i = 0; i < 10_000; i++) {
      MessageId id =
          new MessageId(
              random.nextLong(1L << 48),
              random.nextInt(MessageId.SHARDS),
              random.nextInt(MessageId.SLOT_END),
              random.nextLong(MessageId.SEQ_END));
      UUID uuid = id.uuid();

      assertThat(MessageId.of(uuid)).isEqualTo(id);
      assertThat(MessageId.parse(uuid.toString())).isEqualTo(id);
      assertThat(uuid.version()).isEqualTo(7);
      assertThat(uuid.variant()).isEqualTo(2);
    }
  }

  @Test
  void shouldHaveRoomForTheGreatestOfEachField() {
    MessageId greatest =
        new MessageId(
            (1L << 48) - 1, MessageId.SHARDS - 1, MessageId.SLOT_END - 1, MessageId.SEQ_END - 1);

    assertThat(greatest.uuid()).isEqualTo(UUID.fromString("ffffffff-ffff-7fff-bfff-ffffffffffff"));
    assertThat(MessageId.of(greatest.uuid())).isEqualTo(greatest);
  }

  @Test
  void shouldKeepEachFieldInBitsOfItsOwn() {
    UUID none = new MessageId(NOW_MS, 0, 0, 0).uuid();

    assertThat(bits(none, new MessageId(NOW_MS, 63, 0, 0).uuid())).isEqualTo(6);
    assertThat(bits(none, new MessageId(NOW_MS, 0, MessageId.SLOT_END - 1, 0).uuid()))
        .isEqualTo(24);
    assertThat(bits(none, new MessageId(NOW_MS, 0, 0, MessageId.SEQ_END - 1).uuid())).isEqualTo(44);
  }

  @Test
  void shouldBoundThePartitionsOfABroker() {
    EngineConfig config = EngineConfig.inMemory();

    assertThatThrownBy(() -> withPartitions(config, MessageId.SLOT_END))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "partitionsMax: expected at most 16777215, because message ids have 24 bits for the"
                + " partition, but got 16777216");
    assertThat(withPartitions(config, MessageId.SLOT_END - 1).partitionsMax())
        .isEqualTo(MessageId.SLOT_END - 1);
  }

  private static EngineConfig withPartitions(EngineConfig config, long partitionsMax) {
    return new EngineConfig(
        config.directory(),
        config.durability(),
        config.payloadBytesMax(),
        config.requestBytesMax(),
        config.mailboxMax(),
        config.mailboxBytesMax(),
        config.tailCacheBytes(),
        config.retainedBytesMax(),
        config.queuesMax(),
        partitionsMax,
        config.groupsMax(),
        config.parkedMax());
  }

  private static int bits(UUID one, UUID other) {
    return Long.bitCount(one.getMostSignificantBits() ^ other.getMostSignificantBits())
        + Long.bitCount(one.getLeastSignificantBits() ^ other.getLeastSignificantBits());
  }

  @Test
  void shouldMakeIdsOfThisShardFromTheNumberOfAPartition() {
    MessageId id = MessageId.of(NOW_MS, 5L * MessageId.SLOT_END + 77, 3);

    assertThat(id.shard()).isEqualTo(MessageId.THIS_SHARD);
    assertThat(id.slot()).isEqualTo(77);
    assertThat(id.uuid()).isEqualTo(MessageId.uuid(NOW_MS, 77, 3));
  }
}
