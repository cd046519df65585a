package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecureBitsTest {
  /** Gives bytes that count up, and counts how often it is asked. */
  private static final class Counting extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private byte next;
    private int draws;

    @Override
    public void nextBytes(byte[] bytes) {
      draws++;
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = next++;
      }
    }
  }

  @Test
  void shouldGiveOutTheBitsOfItsSourceInTurn() {
    // given
    SecureBits bits = new SecureBits(new Counting());

    // then
    for (int round = 0; round < 100; round++) {
      for (int first = 0; first < 256; first += 8) {
        long expected = 0;
        for (int i = 0; i < 8; i++) {
          expected = (expected << 8) | (first + i);
        }
        assertThat(bits.nextLong()).isEqualTo(expected);
      }
    }
  }

  @Test
  void shouldDrawFromItsSourceInBlocks() {
    // given
    Counting source = new Counting();
    SecureBits bits = new SecureBits(source);

    // when
    for (int i = 0; i < 10_000; i++) {
      bits.nextLong();
    }

    // then
    assertThat(source.draws).isBetween(1, 20);
  }

  @Test
  void shouldNotRepeat() {
    // given
    SecureBits bits = new SecureBits(new SecureRandom());

    // when
    List<Long> drawn = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      drawn.add(bits.nextLong());
    }

    // then
    assertThat(drawn).doesNotHaveDuplicates();
  }
}
