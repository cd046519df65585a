package io.holdfast.engine.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.message.NewMessage;
import io.holdfast.engine.command.Entry.Ordered;
import io.holdfast.engine.logic.RandomLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Entries as bytes: random ones and back, and everything that is not one. */
class EntryCodecTest {
  private static final int LEVEL = FormatLevels.KNOWN.newest();
  private static final int LOGS = 20;
  private static final int ENTRIES = 40;

  /** Entries of random commands; some have none, and in some time goes back. */
  private static List<Entry> entries(long seed) {
    RandomLog source = new RandomLog(seed, true);
    Random random = new Random(seed);
    List<Entry> entries = new ArrayList<>();
    while (entries.size() < ENTRIES) {
      List<Ordered> commands = new ArrayList<>();
      for (int left = random.nextInt(8); left > 0; left--) {
        Stamp stamp = source.stamp();
        long nowMs = random.nextInt(9) == 0 ? stamp.nowMs() - 100_000 : stamp.nowMs();
        commands.add(new Ordered(nowMs, stamp.random(), source.next()));
      }
      entries.add(new Entry(LEVEL, commands));
    }
    return entries;
  }

  @Test
  void shouldGiveBackRandomEntries() {
    for (long seed = 1; seed <= LOGS; seed++) {
      for (Entry entry : entries(seed)) {
        // when
        byte[] bytes = EntryCodec.bytes(entry);
        Entry read = EntryCodec.read(bytes);

        // then
        assertThat(read)
            .as("seed %s", seed)
            .usingRecursiveComparison()
            // A number that was given as an int is a long when it is read.
            .withEqualsForFieldsMatchingRegexes(
                (one, other) -> one.toString().equals(other.toString()), ".*\\.changes\\..*")
            .isEqualTo(entry);
        assertThat(EntryCodec.bytes(read)).as("seed %s", seed).isEqualTo(bytes);
      }
    }
  }

  @Test
  void shouldGiveBackAnEntryWithoutCommands() {
    // given
    Entry none = new Entry(LEVEL, List.of());

    // when
    byte[] bytes = EntryCodec.bytes(none);

    // then
    assertThat(bytes).hasSize(2);
    assertThat(EntryCodec.read(bytes)).isEqualTo(none);
  }

  @Test
  void shouldRefuseAnEntryThatIsCutOffAnywhere() {
    for (Entry entry : entries(5).subList(0, 10)) {
      byte[] bytes = EntryCodec.bytes(entry);
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> EntryCodec.read(cut))
            .as("cut to %s of %s bytes", length, bytes.length)
            .isInstanceOf(MalformedEntryException.class);
      }
    }
  }

  @Test
  void shouldRefuseBytesBehindTheEnd() {
    // given
    byte[] bytes = EntryCodec.bytes(entries(6).getFirst());
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);

    // then
    assertThatThrownBy(() -> EntryCodec.read(longer))
        .isInstanceOf(MalformedEntryException.class)
        .hasMessageContaining("expected its end at byte " + bytes.length);
  }

  @Test
  void shouldReadOrRefuseDamagedEntriesAndNothingElse() {
    int refused = 0;
    for (long seed = 1; seed <= LOGS; seed++) {
      Random random = new Random(seed);
      for (Entry entry : entries(seed)) {
        byte[] whole = EntryCodec.bytes(entry);
        for (int round = 0; round < 40; round++) {
          byte[] damaged = whole.clone();
          for (int hits = random.nextInt(3); hits >= 0; hits--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
          }
          try {
            assertThat(EntryCodec.read(damaged)).isNotNull();
          } catch (MalformedEntryException | UnknownFormatException expected) {
            refused++;
          }
        }
      }
    }
    assertThat(refused).isGreaterThan(LOGS * ENTRIES);
  }

  @Test
  void shouldMakeNoRoomForCommandsThatAreOnlyAnnounced() {
    // given
    byte[] bytes = new ByteWriter(16).byte1(LEVEL).varint(Integer.MAX_VALUE).done();

    // then
    assertThatThrownBy(() -> EntryCodec.read(bytes))
        .isInstanceOf(MalformedEntryException.class)
        .hasMessageContaining("expected 2147483647 elements");
  }

  @Test
  void shouldRefuseAPushWhoseChunkHoldsFewerMessagesThanItSays() {
    // given
    Packed two =
        Packed.of(List.of(NewMessage.to("q", new byte[3]), NewMessage.to("q", new byte[3])))
            .getFirst();
    Packed three = new Packed("q", "p", 0, two.bytes(), new int[] {0, 1, 2}, List.of(), 0, 0);
    Command push = new Command.PushMessages(List.of(three), 3, null);
    byte[] bytes = EntryCodec.bytes(new Entry(LEVEL, List.of(new Ordered(1, 1, push))));

    // then
    assertThatThrownBy(() -> EntryCodec.read(bytes))
        .isInstanceOf(MalformedEntryException.class)
        .hasMessageContaining("command 0: message 2 does not end in its chunk");
  }

  @Test
  void shouldNotKnowLevelsOfANewerVersion() {
    // given
    byte[] bytes = {(byte) (LEVEL + 1), 0};

    // then
    assertThatThrownBy(() -> EntryCodec.read(bytes))
        .isInstanceOf(UnknownFormatException.class)
        .hasMessage(
            "An entry has format level %s, and this version of Holdfast knows the levels %s to %s."
                + " Run the newer version that wrote it.",
            LEVEL + 1, FormatLevels.KNOWN.oldest(), LEVEL);
  }
}
