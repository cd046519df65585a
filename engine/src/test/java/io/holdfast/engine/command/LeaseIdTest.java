package io.holdfast.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseIdTest {
  @Test
  void shouldReadWhatItWrites() {
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      long lease = random.nextLong();
      assertThat(LeaseId.number(LeaseId.text(lease))).isEqualTo(lease);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "AAAAAAAAAA",
        "AAAAAAAAAAAA",
        "AAAAAAAAAAB",
        "AAAAAAAAAA+",
        "AAAA/AAAAAA",
        "AAAAAAAAAA=",
        "AAAA AAAAAA",
        "AAAAAAAAAA\u00e4",
        "\u4e2dAAAAAAAAAA"
      })
  void shouldTakeNothingElseForALease(String text) {
    assertThat(LeaseId.number(text)).isEqualTo(LeaseId.NONE);
  }

  @Test
  void shouldBeOfThisShardAndHaveTheRestOfItsBitsFromChance() {
    Random random = new Random(4);
    long ones = 0;
    long zeros = 0;
    for (int i = 0; i < 1_000; i++) {
      long lease = LeaseId.of(random.nextLong());
      assertThat(LeaseId.shard(lease)).isEqualTo(MessageId.THIS_SHARD);
      assertThat(LeaseId.text(lease)).doesNotStartWith("-");
      ones |= lease;
      zeros |= ~lease;
    }
    assertThat(ones).isEqualTo((1L << 57) - 1);
    assertThat(ones & zeros).isEqualTo(ones);
  }

  @Test
  void shouldTellTheShardOfALease() {
    for (long shard = 0; shard < MessageId.SHARDS; shard++) {
      long lease = (shard << 57) | 12_345;
      assertThat(LeaseId.shard(LeaseId.number(LeaseId.text(lease)))).isEqualTo((int) shard);
    }
  }

  @Test
  void shouldMakeAnotherIdOfTheNextStep() {
    assertThat(LeaseId.of(77 + LeaseId.RANDOM_STEP)).isNotEqualTo(LeaseId.of(77));
  }
}
