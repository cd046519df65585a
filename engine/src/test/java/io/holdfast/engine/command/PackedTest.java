package io.holdfast.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdfast.api.Limits;
import io.holdfast.api.message.NewMessage;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Messages packed by lane: all of them, in order, in no more memory than they need. */
class PackedTest {
  private static final int LANES = 7;

  private static List<NewMessage> messages(int count, IntFunction<String> partition) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] payload = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
      messages.add(NewMessage.to("q", payload).partition(partition.apply(i)));
    }
    return messages;
  }

  @Test
  void shouldKeepEachMessageInTheOrderOfItsLane() {
    // given
    List<NewMessage> messages =
        messages(5_000, i -> "p" + (i < LANES ? i : (i * 31 + i / 100) % LANES));
    // when
    List<Packed> packed = Packed.of(messages);
    // then
    List<Integer> all = new ArrayList<>();
    for (Packed one : packed) {
      Chunk chunk = new Chunk(0, one.bytes());
      int offset = Chunk.HEADER_BYTES;
      for (int item : one.items()) {
        assertThat(messages.get(item).partition()).isEqualTo(one.partition());
        assertThat(new String(chunk.payload(offset), StandardCharsets.UTF_8))
            .isEqualTo(Integer.toString(item));
        offset = chunk.after(offset);
        all.add(item);
      }
      assertThat(one.items()).isSorted();
    }
    assertThat(all).hasSize(messages.size()).doesNotHaveDuplicates();
  }

  @Test
  void shouldNotTakeMuchMemoryForManyLanes() {
    // given
    List<NewMessage> messages = messages(Limits.BATCH_MAX, i -> "p" + i);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    // when
    List<Packed> packed = Packed.of(messages);
    // then
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(packed).hasSize(messages.size());
    assertThat(bytes).as("bytes for %d messages", messages.size()).isLessThan(30_000_000);
  }
}
