package io.holdfast.server.frames;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verbs;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.http.Patience;
import io.holdfast.testkit.TestScale;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A server asked in frames. */
class FrameServerTest extends ServerFixture {
  private static final String QUEUE = "orders";
  private static final long LONG_MS = 60_000;
  private static final Duration MOMENT = Duration.ofMillis(400);
  private static final int BODY_BYTES_MAX = 1 << 20;

  /** Random pops make groups, and each of them makes the next push a little slower. */
  private static final int SEEDS_PER_QUEUE = 100;

  @Override
  protected ServerConfig config() {
    return super.config()
        .bodyBytesMax(BODY_BYTES_MAX)
        .patience(
            new Patience(
                MOMENT, MOMENT, 1_000_000, MOMENT, Duration.ofMinutes(5), Duration.ofMillis(20)));
  }

  private FrameClient connect() {
    return FrameClient.connect(server.port());
  }

  private static PushRequest push(String payload) {
    return PushRequest.of(NewMessage.to(QUEUE, payload.getBytes(UTF_8)));
  }

  private static PopRequest waitingPop() {
    return PopRequest.queue(QUEUE).waitMs(LONG_MS);
  }

  private int parkedPops() {
    return broker.stats().orThrow().parkedPops();
  }

  private static String payload(Popped popped) {
    return new String(popped.messages().getFirst().message().payload(), UTF_8);
  }

  /** The head of a frame with a length of our choice. */
  private static byte[] head(long length, int kind, int id) {
    return ByteBuffer.allocate(9).putInt((int) length).put((byte) kind).putInt(id).array();
  }

  @Test
  void shouldPushPopAndSettle() {
    try (FrameClient client = connect()) {
      // when
      client.send(Verbs.PUSH, 1, push("a"));
      client.read().answer(Verbs.PUSH);
      client.send(Verbs.POP, 2, PopRequest.queue(QUEUE));
      Popped popped = client.read().answer(Verbs.POP);
      client.send(Verbs.SETTLE, -3, SettleRequest.of(Settle.ackAll(popped.leaseId())));
      FrameClient.Reply settled = client.read();
      // then
      assertThat(payload(popped)).isEqualTo("a");
      assertThat(settled.id()).isEqualTo(-3);
      assertThat(settled.answer(Verbs.SETTLE).verdicts().getFirst().status())
          .isEqualTo(SettleVerdict.Status.ACKED);
    }
  }

  @Test
  void shouldAnswerVerbsThatBlock() {
    try (FrameClient client = connect()) {
      // when
      client.send(Verbs.STATS, 1, new Verbs.Nothing());
      client.send(Verbs.QUEUE, 2, new Verbs.Named("missing"));
      // then
      Set<Integer> ids = new HashSet<>();
      for (int i = 0; i < 2; i++) {
        FrameClient.Reply reply = client.read();
        ids.add(reply.id());
        if (reply.id() == 2) {
          assertThat(reply.refusal().code()).isEqualTo(ErrorCode.NOT_FOUND);
        } else {
          assertThat(reply.answer(Verbs.STATS).durability()).isNotEmpty();
        }
      }
      assertThat(ids).containsExactlyInAnyOrder(1, 2);
    }
  }

  @Test
  void shouldAnswerManyRequestsOfOneWrite() {
    try (FrameClient client = connect()) {
      // given
      int count = 500;
      byte[][] frames = new byte[count][];
      int size = 0;
      for (int i = 0; i < count; i++) {
        frames[i] = Frames.request(Verbs.PUSH, push("m" + i));
        Frames.setId(frames[i], i);
        size += frames[i].length;
      }
      ByteBuffer all = ByteBuffer.allocate(size);
      Arrays.stream(frames).forEach(all::put);
      // when
      client.send(all.array());
      // then
      Set<Integer> ids = new HashSet<>();
      for (int i = 0; i < count; i++) {
        FrameClient.Reply reply = client.read();
        reply.answer(Verbs.PUSH);
        ids.add(reply.id());
      }
      assertThat(ids).hasSize(count);
    }
  }

  @Test
  void shouldReadFramesInAnyPieces() {
    try (FrameClient client = connect()) {
      // given
      byte[] frame = Frames.request(Verbs.PUSH, push("a"));
      // when
      for (byte one : frame) {
        client.send(new byte[] {one});
      }
      // then
      client.read().answer(Verbs.PUSH);
    }
  }

  @Test
  void shouldAnswerAParkedPopAfterLaterRequests() {
    try (FrameClient client = connect()) {
      // given
      client.send(Verbs.POP, 1, waitingPop());
      await().until(() -> parkedPops() == 1);
      // when
      client.send(Verbs.PUSH, 2, push("a"));
      // then
      List<Integer> ids = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        FrameClient.Reply reply = client.read();
        ids.add(reply.id());
        if (reply.id() == 1) {
          assertThat(payload(reply.answer(Verbs.POP))).isEqualTo("a");
        }
      }
      assertThat(ids).containsExactlyInAnyOrder(1, 2);
    }
  }

  @Test
  void shouldAnswerAParkedPopThatIsToStopWaiting() {
    try (FrameClient client = connect()) {
      // given
      client.send(Verbs.POP, 1, waitingPop());
      await().until(() -> parkedPops() == 1);
      // when
      client.send(Frames.stopWaiting(1));
      client.send(Frames.stopWaiting(99));
      // then
      FrameClient.Reply reply = client.read();
      assertThat(reply.id()).isEqualTo(1);
      assertThat(reply.answer(Verbs.POP).messages()).isEmpty();
      assertThat(parkedPops()).isZero();
    }
  }

  @Test
  void shouldEndParkedPopsWhenTheConnectionEnds() {
    // given
    FrameClient client = connect();
    client.send(Verbs.POP, 1, waitingPop());
    client.send(Verbs.POP, 2, waitingPop());
    await().until(() -> parkedPops() == 2);
    // when
    client.close();
    // then
    await().until(() -> parkedPops() == 0);
    broker.push(push("a"));
    assertThat(broker.pop(PopRequest.queue(QUEUE)).orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldEndParkedPopsWhenTheClientSendsNoMore() {
    try (FrameClient client = connect()) {
      // given
      client.send(Verbs.POP, 1, waitingPop());
      await().until(() -> parkedPops() == 1);
      // when
      client.endOutput();
      // then
      assertThat(client.isClosedByServer()).isTrue();
      await().until(() -> parkedPops() == 0);
    }
  }

  @Test
  void shouldRefuseRequestsBeyondTheLimit() {
    try (FrameClient client = connect()) {
      // given
      for (int i = 0; i < Frames.REQUESTS_MAX; i++) {
        client.send(Verbs.POP, i, waitingPop());
      }
      // when
      client.send(Verbs.PUSH, 5_000, push("a"));
      // then
      FrameClient.Reply reply = client.read();
      assertThat(reply.id()).isEqualTo(5_000);
      assertThat(reply.refusal().code()).isEqualTo(ErrorCode.OVERLOADED);
    }
  }

  @Test
  void shouldSkipAFrameThatIsTooLong() {
    try (FrameClient client = connect()) {
      // when
      client.send(head(BODY_BYTES_MAX + 6, Verbs.PUSH.number(), 7));
      client.send(new byte[BODY_BYTES_MAX + 1]);
      client.send(Verbs.PUSH, 8, push("a"));
      // then
      FrameClient.Reply refused = client.read();
      assertThat(refused.id()).isEqualTo(7);
      assertThat(refused.problemStatus()).isEqualTo(413);
      client.read().answer(Verbs.PUSH);
    }
  }

  @Test
  void shouldTakeALargeFrame() {
    try (FrameClient client = connect()) {
      // when
      client.send(Verbs.PUSH, 1, push("x".repeat(BODY_BYTES_MAX - 1_000)));
      client.read().answer(Verbs.PUSH);
      client.send(Verbs.POP, 2, PopRequest.queue(QUEUE));
      // then
      assertThat(payload(client.read().answer(Verbs.POP))).hasSize(BODY_BYTES_MAX - 1_000);
    }
  }

  @Test
  void shouldCloseAConnectionWithALengthThatNoFrameHas() {
    for (long length : new long[] {0, 4, -1, Integer.MIN_VALUE}) {
      try (FrameClient client = connect()) {
        // when
        client.send(head(length, 1, 1));
        // then
        assertThat(client.isClosedByServer()).isTrue();
      }
    }
  }

  @Test
  void shouldCloseAConnectionThatUsesAnIdTwice() {
    try (FrameClient client = connect()) {
      // when
      client.send(Verbs.POP, 1, waitingPop());
      client.send(Verbs.POP, 1, waitingPop());
      // then
      assertThat(client.isClosedByServer()).isTrue();
      await().until(() -> parkedPops() == 0);
    }
  }

  @Test
  void shouldAnswerWhatItCannotRead() {
    try (FrameClient client = connect()) {
      // when
      client.send(head(5, 200, 1));
      FrameClient.Reply unknown = client.read();
      client.send(head(8, Verbs.PUSH.number(), 2));
      client.send(new byte[] {1, 2, 3});
      FrameClient.Reply garbled = client.read();
      client.send(Verbs.PUSH, 3, push("a"));
      // then
      assertThat(unknown.problemStatus()).isEqualTo(404);
      assertThat(garbled.problemStatus()).isEqualTo(400);
      assertThat(garbled.problem()).contains("the body");
      client.read().answer(Verbs.PUSH);
    }
  }

  @Test
  void shouldHangUpOnAClientThatSendsAFrameTooSlowly() {
    try (FrameClient client = connect()) {
      // when
      client.send(head(1_000, Verbs.PUSH.number(), 1));
      // then
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void shouldNotHangUpOnAClientThatWaits() {
    try (FrameClient client = connect()) {
      // given
      client.send(Verbs.POP, 1, waitingPop());
      await().until(() -> parkedPops() == 1);
      // when
      await().during(MOMENT.multipliedBy(3)).until(() -> parkedPops() == 1);
      broker.push(push("a"));
      // then
      assertThat(payload(client.read().answer(Verbs.POP))).isEqualTo("a");
    }
  }

  @Test
  void shouldAskForTheUpgrade() {
    assertThat(get(Frames.PATH).expect(426).text("/error")).contains(Frames.PROTOCOL);
  }

  @Test
  void shouldAnswerWhatRunsAndTakeNoMoreWhenItStops() {
    try (FrameClient client = connect()) {
      // given
      client.send(Verbs.POP, 1, waitingPop());
      await().until(() -> parkedPops() == 1);
      // when
      server.close();
      // then
      Set<Integer> kinds = new HashSet<>();
      for (int i = 0; i < 2; i++) {
        kinds.add(client.read().kind());
      }
      assertThat(kinds).containsExactlyInAnyOrder(Frames.CLOSING, Frames.ANSWERED);
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  /** Damaged and cut frames may end their connection, and nothing else. */
  @Test
  void shouldSurviveRandomFrames() {
    int rounds = TestScale.rounds(300, 20_000);
    long begun = System.nanoTime();
    for (int seed = 0; TestScale.hasNext(seed, rounds, begun); seed++) {
      Random random = new Random(seed);
      try (FrameClient client = connect()) {
        for (int i = 0; i < 5; i++) {
          client.send(randomFrame(random, i));
        }
      } catch (UncheckedIOException closed) {
        // The server may have closed the connection before all was sent.
      }
      if (seed % SEEDS_PER_QUEUE == 0) {
        expectUsable();
      }
    }
    expectUsable();
  }

  /** Waits for the end of all pops, and deletes the queue with the groups that pops have made. */
  private void expectUsable() {
    await().until(() -> parkedPops() == 0);
    var _ = broker.deleteQueue(QUEUE);
    try (FrameClient client = connect()) {
      client.send(Verbs.PUSH, 1, push("a"));
      client.read().answer(Verbs.PUSH);
    }
  }

  private static byte[] randomFrame(Random random, int id) {
    byte[] frame =
        random.nextBoolean()
            ? Frames.request(Verbs.PUSH, push("x".repeat(random.nextInt(200))))
            : Frames.request(Verbs.POP, waitingPop());
    Frames.setId(frame, id);
    int changes = random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      frame[random.nextInt(frame.length)] = (byte) random.nextInt();
    }
    return Arrays.copyOf(
        frame, random.nextInt(10) == 0 ? random.nextInt(frame.length) : frame.length);
  }
}
