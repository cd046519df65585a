package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.server.http.Patience;
import io.holdfast.testkit.TestScale;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests with random mistakes, in random packets: the server answers or hangs up, leaks no
 * buffers, and goes on.
 */
@Tag("slow")
class HeadFuzzTest extends ServerFixture {
  private static final long FIRST_SEED = 20_261_118;
  private static final int SEEDS = TestScale.rounds(4, 400);
  private static final int CONNECTIONS = 150;
  private static final int PACKETS_MAX = 6;
  private static final int SILENCE_MS = 5_000;

  private static final List<String> PARTS =
      List.of(
          "GET /health/live HTTP/1.1\r\n",
          "POST /api/v1/push HTTP/1.1\r\n",
          "GET /api/v1/pop/queue/q?batch=2 HTTP/1.1\r\n",
          "HEAD /metrics HTTP/1.1\r\n",
          "DELETE /api/v1/session HTTP/1.0\r\n",
          "GET http://localhost/ HTTP/1.1\r\n",
          "Host: localhost\r\n",
          "Host: localhost\r\n",
          "Host: localhost\r\n",
          "Content-Length: 44\r\n",
          "Content-Length: 3\r\n",
          "Content-Length: 99999999999999999999\r\n",
          "Transfer-Encoding: chunked\r\n",
          "Transfer-Encoding: gzip\r\n",
          "Expect: 100-continue\r\n",
          "Connection: close\r\n",
          "Connection: upgrade\r\nUpgrade: websocket\r\n",
          "Sec-WebSocket-Key1: 1\r\nSec-WebSocket-Key2: 2\r\n",
          "Content-Encoding: gzip\r\n",
          " folded\r\n",
          "X: " + "y".repeat(20_000) + "\r\n",
          "X: y\r\n".repeat(120),
          "\r\n",
          "\r\n",
          "\r\n",
          "{\"items\":[{\"queue\":\"hidden\",\"payload\":123}]}",
          "3\r\nabc\r\n",
          "3;x=y\r\nabc\r\n",
          "ffffffff\r\n",
          "0\r\n\r\n",
          "0\r\nX: y\r\n\r\n",
          "\n",
          "\r",
          "\u0000");

  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private RecordedLog leaks;
  private RecordedLog exceptions;
  private ResourceLeakDetector.Level before;

  @Override
  protected ServerConfig config() {
    return super.config()
        .bodyBytesMax(4_096)
        .patience(
            Patience.usual()
                .pause(Duration.ofSeconds(1))
                .rest(Duration.ofSeconds(1), Duration.ofMillis(20)));
  }

  @BeforeEach
  void listen() {
    before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    leaks = RecordedLog.of(ResourceLeakDetector.class.getName());
    exceptions = RecordedLog.of("io.netty.channel.DefaultChannelPipeline");
  }

  @AfterEach
  void restoreLevel() {
    ResourceLeakDetector.setLevel(before);
    leaks.close();
    exceptions.close();
  }

  private static String request(Random random) {
    StringBuilder text = new StringBuilder();
    if (random.nextInt(4) > 0) {
      text.append(PARTS.get(random.nextInt(6))).append("Host: localhost\r\n");
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      text.append(PARTS.get(random.nextInt(PARTS.size())));
    }
    if (random.nextBoolean()) {
      text.append("\r\n");
    }
    for (int i = random.nextInt(3); i > 0 && !text.isEmpty(); i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.setCharAt(at, (char) random.nextInt(256));
        case 1 -> text.deleteCharAt(at);
        default -> text.insert(at, (char) random.nextInt(256));
      }
    }
    return text.toString();
  }

  /** Sends requests in packets, and reads until the server hangs up or the client does. */
  private void converse(Random random) {
    StringBuilder all = new StringBuilder();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      all.append(request(random));
    }
    byte[] bytes = all.toString().getBytes(StandardCharsets.ISO_8859_1);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(SILENCE_MS);
      int at = 0;
      for (int i = random.nextInt(PACKETS_MAX); i > 0 && at < bytes.length; i--) {
        int length = 1 + random.nextInt(bytes.length - at);
        socket.getOutputStream().write(bytes, at, length);
        at += length;
      }
      socket.getOutputStream().write(bytes, at, bytes.length - at);
      switch (random.nextInt(3)) {
        case 0 -> drain(socket, true);
        case 1 -> drain(socket, false);
        default -> socket.setSoLinger(true, 0);
      }
    } catch (SocketTimeoutException silent) {
      failures.add("the server neither answers nor hangs up: " + all);
    } catch (IOException hungUp) {
      // That is a way to answer.
    }
  }

  private static void drain(Socket socket, boolean shut) throws IOException {
    if (shut) {
      socket.shutdownOutput();
    }
    InputStream in = socket.getInputStream();
    byte[] buffer = new byte[8_192];
    while (in.read(buffer) >= 0) {
      // Only the end matters.
    }
  }

  @Test
  void shouldOutliveRandomHeads() {
    long begun = System.nanoTime();
    for (int i = 0; TestScale.hasNext(i, SEEDS, begun); i++) {
      // given
      long seed = FIRST_SEED + i;
      // when
      IntStream.range(0, CONNECTIONS)
          .mapToObj(n -> new Random(seed * 1_000 + n))
          .map(random -> Thread.ofVirtual().start(() -> converse(random)))
          .toList()
          .forEach(HeadFuzzTest::join);
      // then
      assertThat(failures).as("seed " + seed).isEmpty();
      assertThat(get("/health").expect(200).text("/status")).as("seed " + seed).isNotBlank();
    }
    await().untilAsserted(() -> assertThat(connections()).isLessThanOrEqualTo(2));
    reportLeaks();
    assertThat(leaks.lines()).isEmpty();
    assertThat(exceptions.lines()).as("exceptions that nobody handles").isEmpty();
  }

  private double connections() {
    return get("/metrics")
        .expect(200)
        .http()
        .body()
        .lines()
        .filter(line -> line.startsWith("holdfast_connections "))
        .mapToDouble(line -> Double.parseDouble(line.split(" ")[1]))
        .sum();
  }

  /** Netty reports a buffer that was not released when it makes others after a collection. */
  private static void reportLeaks() {
    for (int i = 0; i < 3; i++) {
      System.gc();
      for (int n = 0; n < 100; n++) {
        ByteBufAllocator.DEFAULT.buffer(16).release();
        ByteBufAllocator.DEFAULT.heapBuffer(16).release();
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  @Test
  void shouldHearOfALeak() {
    // given
    ByteBufAllocator.DEFAULT.buffer(16);
    // then
    await()
        .untilAsserted(
            () -> {
              reportLeaks();
              assertThat(leaks.lines()).anyMatch(line -> line.contains("LEAK"));
            });
  }
}
