package io.holdfast.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTest {
  /** What a peer of an earlier version knows. */
  public record Earlier(String name, long count) {}

  /** The same with fields that came later. */
  public record Later(
      String name,
      long count,
      @Nullable String note,
      List<String> tags,
      Map<String, String> extra) {}

  /** A record around one that grew, to see that what stands behind it is found. */
  public record AroundEarlier(Earlier inner, String behind) {}

  public record AroundLater(Later inner, String behind) {}

  private final Codecs codecs = new Codecs();

  private static CommitRequest commit() {
    List<Operation> operations =
        List.of(
            new Operation.SettleMessage(
                Settle.nack(new Handle("lease-12345", new Position(7, 0, 1L << 40)), "näh 😀")
                    .delayMs(5)
                    .withRest()),
            new Operation.PushMessage(
                NewMessage.to("orders", new byte[] {0, -1, 127})
                    .partition("p")
                    .transactionId("t-1")
                    .headers(Map.of("a", "b"))
                    .delayMs(1),
                true),
            new Operation.AppendJournal("j", 3, List.of(new byte[0], new byte[] {1})),
            new Operation.PutRecord("k", -1, "v".getBytes(StandardCharsets.UTF_8)),
            new Operation.DeleteRecord("k", 4));
    return new CommitRequest(operations, "request-1");
  }

  @Test
  void shouldBeDescribedAsItIs() throws IOException {
    String page = Files.readString(Path.of("../docs/wire.md"));

    assertThat(page).contains("```\n" + Verbs.described() + "```\n");
  }

  @Test
  void shouldReadWhatItWrote() {
    byte[] bytes = Verbs.COMMIT.requestBytes(commit());

    CommitRequest read = Verbs.COMMIT.request(bytes);

    assertThat(read).usingRecursiveComparison().isEqualTo(commit());
  }

  @Test
  void shouldTellARepeatedTextOnce() {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      messages.add(NewMessage.to("a-queue-with-a-rather-long-name", new byte[10]).partition("p"));
    }

    byte[] bytes = Verbs.PUSH.requestBytes(PushRequest.of(messages));

    assertThat(bytes.length).isLessThan(100 * 25);
    assertThat(Verbs.PUSH.request(bytes).messages())
        .extracting(NewMessage::queue)
        .containsOnly("a-queue-with-a-rather-long-name");
  }

  @Test
  void shouldKeepManyDifferentTextsApart() {
    Random random = new Random(42);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      texts.add("x".repeat(random.nextInt(100)) + random.nextInt(400));
    }
    Map<String, String> extra = new HashMap<>();
    texts.forEach(text -> extra.put(text, text + "!"));

    Later read =
        Verb.read(
            codecs.of(Later.class),
            Verb.bytes(codecs.of(Later.class), new Later("n", 1, "", texts, extra)));

    assertThat(read.tags()).isEqualTo(texts);
    assertThat(read.extra()).isEqualTo(extra);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        -1,
        63,
        64,
        -64,
        -65,
        127,
        128,
        1L << 40,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Integer.MAX_VALUE
      })
  void shouldKeepNumbersOfEverySize(long number) {
    Earlier read =
        Verb.read(
            codecs.of(Earlier.class),
            Verb.bytes(codecs.of(Earlier.class), new Earlier("n", number)));

    assertThat(read.count()).isEqualTo(number);
  }

  @Test
  void shouldReadWhatAnEarlierPeerWrote() {
    byte[] bytes =
        Verb.bytes(
            codecs.of(AroundEarlier.class), new AroundEarlier(new Earlier("n", 3), "behind"));

    AroundLater read = Verb.read(codecs.of(AroundLater.class), bytes);

    assertThat(read.inner().name()).isEqualTo("n");
    assertThat(read.inner().note()).isNull();
    assertThat(read.inner().tags()).isEmpty();
    assertThat(read.inner().extra()).isEmpty();
    assertThat(read.behind()).isEqualTo("behind");
  }

  @Test
  void shouldReadWhatALaterPeerWrote() {
    Later later = new Later("n", 3, "note", List.of("x".repeat(200), "y"), Map.of("k", "v"));
    byte[] bytes = Verb.bytes(codecs.of(AroundLater.class), new AroundLater(later, "behind"));

    AroundEarlier read = Verb.read(codecs.of(AroundEarlier.class), bytes);

    assertThat(read).isEqualTo(new AroundEarlier(new Earlier("n", 3), "behind"));
  }

  @Test
  void shouldWriteWhatAnEarlierPeerWouldAsLongAsNewFieldsAreEmpty() {
    // given
    Later empty = new Later("n", 3, null, List.of(), Map.of());

    // when
    byte[] bytes = Verb.bytes(codecs.of(AroundLater.class), new AroundLater(empty, "behind"));

    // then
    assertThat(bytes)
        .isEqualTo(
            Verb.bytes(
                codecs.of(AroundEarlier.class), new AroundEarlier(new Earlier("n", 3), "behind")));
    assertThat(Verb.read(codecs.of(AroundLater.class), bytes).inner()).isEqualTo(empty);
  }

  @Test
  void shouldRefuseUnknownFieldsIfTheReaderHasToKnowAll() {
    // given
    Later later = new Later("n", 3, "note", List.of(), Map.of());
    byte[] bytes = Form.of(AroundLater.class).write(new AroundLater(later, "behind"));
    byte[] known =
        Form.of(AroundLater.class)
            .write(new AroundLater(new Later("n", 3, null, List.of(), Map.of()), "behind"));

    // then
    Form<AroundEarlier> form = Form.of(AroundEarlier.class);
    assertThat(form.read(bytes)).isEqualTo(new AroundEarlier(new Earlier("n", 3), "behind"));
    assertThat(form.readExactly(known)).isEqualTo(form.read(bytes));
    assertThatThrownBy(() -> form.readExactly(bytes))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("unknown fields")
        .hasMessageContaining("Earlier");
  }

  @Test
  void shouldRefuseWhatIsCutOffAnywhere() {
    byte[] bytes = Verbs.COMMIT.requestBytes(commit());

    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> Verbs.COMMIT.request(cut))
          .as("cut to %d bytes", length)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void shouldRefuseWhatFollowsTheEnd() {
    byte[] bytes = Verbs.COMMIT.requestBytes(commit());
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);

    assertThatThrownBy(() -> Verbs.COMMIT.request(longer)).isInstanceOf(WireException.class);
  }

  @Test
  void shouldSurviveDamageOfAnyKind() {
    byte[] whole = Verbs.COMMIT.requestBytes(commit());
    Random random = new Random(7);
    for (int i = 0; i < 50_000; i++) {
      byte[] damaged = whole.clone();
      for (int hits = random.nextInt(3); hits >= 0; hits--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(Verbs.COMMIT.request(damaged)).isNotNull();
      } catch (IllegalArgumentException refused) {
        assertThat(refused).hasMessageContaining(":");
      }
    }
  }

  @Test
  void shouldRefuseMalformedText() {
    byte[] bytes = Verb.bytes(codecs.of(Earlier.class), new Earlier("ab", 0));
    bytes[2] = (byte) 0xC3;

    assertThatThrownBy(() -> Verb.read(codecs.of(Earlier.class), bytes))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void shouldTakeAReplacementCharacterThatWasMeant() {
    Earlier given = new Earlier("a\uFFFDb", 0);

    assertThat(Verb.read(codecs.of(Earlier.class), Verb.bytes(codecs.of(Earlier.class), given)))
        .isEqualTo(given);
  }

  @Test
  void shouldNotMakeRoomForWhatIsOnlyAnnounced() {
    WireOut out = new WireOut();
    int begun = out.begin();
    out.unsigned(Integer.MAX_VALUE);
    out.end(begun);

    assertThatThrownBy(() -> Verbs.PUSH.request(out.done()))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("count");
  }

  @Test
  void shouldKeepTheOptionsOfAQueue() {
    Map<QueueOption, Object> changes = new HashMap<>();
    changes.put(QueueOption.LEASE_TIME, 30);
    changes.put(QueueOption.DELIVERY, "shared");
    changes.put(QueueOption.RETRY_JITTER, true);
    changes.put(QueueOption.TTL, null);
    ConfigureRequest request = new ConfigureRequest("q", changes, false);

    ConfigureRequest read = Verbs.CONFIGURE.request(Verbs.CONFIGURE.requestBytes(request));

    assertThat(QueueOptions.DEFAULTS.with(read.changes()))
        .isEqualTo(QueueOptions.DEFAULTS.with(changes));
    assertThat(read.changes()).containsOnlyKeys(Set.copyOf(changes.keySet()));
  }

  @Test
  void shouldKeepIdsWhole() {
    UUID id = UUID.randomUUID();
    Pushed pushed = new Pushed(List.of(new PushedMessage(id, true, 3)));

    assertThat(Verbs.PUSH.answer(Verbs.PUSH.answerBytes(pushed))).isEqualTo(pushed);
  }
}
