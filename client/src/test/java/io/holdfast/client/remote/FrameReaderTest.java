package io.holdfast.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Stats;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.wire.Frames;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.WaitLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of a server: whole, in pieces, and damaged. */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameReaderTest {
  private record Frame(int kind, int id, List<Byte> body) {}

  private static Frame frame(int kind, int id, byte[] body) {
    List<Byte> bytes = new ArrayList<>();
    for (byte one : body) {
      bytes.add(one);
    }
    return new Frame(kind, id, bytes);
  }

  private static List<Frame> read(byte[] bytes, Random random) throws IOException {
    FrameReader reader = new FrameReader();
    List<Frame> frames = new ArrayList<>();
    int at = 0;
    while (at < bytes.length) {
      int count = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 8 : 9_000));
      reader.read(
          ByteBuffer.wrap(bytes, at, count), (kind, id, body) -> frames.add(frame(kind, id, body)));
      at += count;
    }
    return frames;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void shouldReadFramesThatComeInAnyPieces(long seed) throws IOException {
    Random random = new Random(seed);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<Frame> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] body = new byte[random.nextInt(i % 20 == 0 ? 200_000 : 50)];
      random.nextBytes(body);
      int id = random.nextInt();
      expected.add(frame(Frames.PROBLEM, id, problemBody(body)));
      bytes.writeBytes(Frames.problem(id, 500, body));
    }
    assertThat(read(bytes.toByteArray(), random)).isEqualTo(expected);
  }

  private static byte[] problemBody(byte[] json) {
    byte[] body = new byte[2 + json.length];
    body[0] = 500 >>> 8;
    body[1] = (byte) 500;
    System.arraycopy(json, 0, body, 2, json.length);
    return body;
  }

  @Test
  void shouldNotUseMemoryForBytesThatHaveNotCome() throws IOException {
    FrameReader reader = new FrameReader();
    byte[] head = ByteBuffer.allocate(9).putInt(FrameReader.FRAME_BYTES_MAX).array();
    for (int i = 0; i < 100; i++) {
      new FrameReader().read(ByteBuffer.wrap(head), (kind, id, body) -> {});
    }
    reader.read(ByteBuffer.wrap(head), (kind, id, body) -> {});
  }

  @Test
  void shouldRefuseLengthsThatNoFrameHas() {
    for (int length : new int[] {0, 4, FrameReader.FRAME_BYTES_MAX + 1, Integer.MAX_VALUE, -1}) {
      byte[] head = ByteBuffer.allocate(9).putInt(length).array();
      assertThatThrownBy(
              () -> new FrameReader().read(ByteBuffer.wrap(head), (kind, id, body) -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("bytes that are no frame")
          .hasMessageContaining(Integer.toUnsignedString(length));
    }
  }

  /** A server that answers with damaged bytes: each call ends, and the next one is answered. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void shouldEndCallsWhoseAnswersAreDamaged(long seed) throws IOException {
    Random random = new Random(seed);
    try (EmbeddedBroker engine = EmbeddedBroker.open(EngineConfig.inMemory());
        FrameServer server = new FrameServer(engine);
        RemoteBroker remote =
            RemoteBroker.at(
                RemoteConfig.of(server.address())
                    .retries(1, Duration.ofMillis(1), Duration.ofMillis(1))
                    .rest(1_000, Duration.ofMillis(1))
                    .timeouts(WaitLimits.EVENT, WaitLimits.EVENT))) {
      for (int round = 0; round < 20; round++) {
        assertThat(remote.stats().isOk()).isTrue();
        String queue = "q" + round;
        AsyncResult<Popped> pop = remote.popAsync(PopRequest.queue(queue).waitMs(60_000));
        await().until(() -> engine.stats().orThrow().parkedPops() == 1);
        server.send(damaged(random));
        engine.push(PushRequest.of(NewMessage.to(queue, new byte[9]))).orThrow();
        await().until(() -> server.running() == 0);
        server.cut();
        assertThat(pop.handle((result, failure) -> failure).join())
            .satisfiesAnyOf(
                failure -> assertThat(failure).isNull(),
                failure -> assertThat(failure).isInstanceOf(UnreachableException.class),
                failure -> assertThat(failure).isInstanceOf(IllegalArgumentException.class),
                failure -> assertThat(failure).isInstanceOf(IllegalStateException.class));
        await().ignoreExceptions().until(() -> remote.stats().isOk());
      }
    }
  }

  /** An answer to a request that may exist, with some bytes changed, added or cut off. */
  private static byte[] damaged(Random random) {
    byte[] body = new byte[random.nextInt(40)];
    random.nextBytes(body);
    byte[] frame =
        switch (random.nextInt(4)) {
          case 0 -> body;
          case 1 -> Frames.problem(random.nextInt(6), random.nextInt(600), body);
          case 2 ->
              ByteBuffer.allocate(9 + body.length)
                  .putInt(5 + body.length)
                  .put((byte) random.nextInt(5))
                  .putInt(random.nextInt(6))
                  .put(body)
                  .array();
          default -> Frames.answer(io.holdfast.api.wire.Verbs.STATS, random.nextInt(6), stats());
        };
    for (int i = random.nextInt(3); i > 0 && frame.length > 0; i--) {
      frame[random.nextInt(frame.length)] = (byte) random.nextInt();
    }
    return Arrays.copyOf(frame, random.nextInt(4) == 0 ? frame.length / 2 : frame.length);
  }

  private static Stats stats() {
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory())) {
      return broker.stats().orThrow();
    }
  }
}
