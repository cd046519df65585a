package io.holdfast.client.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.queue.Counts;
import io.holdfast.client.Holdfast;
import io.holdfast.client.acks.AckClient;
import io.holdfast.client.acks.AckResult;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.consume.HeldMessage;
import io.holdfast.client.remote.OverHttpFixture;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages about the client show does what they say: over HTTP, and on a broker in here. */
class ClientGuideTest extends OverHttpFixture {
  private final ClientGuide guide = new ClientGuide();

  private Holdfast entry(boolean overHttp) {
    return overHttp ? holdfast : Holdfast.on(engine);
  }

  @Test
  void shouldRunTheFirstProgram() throws InterruptedException {
    // given
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    // when
    try {
      FirstProgram.main(new String[] {relay.address()});
    } finally {
      System.setOut(before);
    }
    // then
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("bill {\"id\":1}");
    assertAllIsSettled(QUEUE);
  }

  @Test
  void shouldConnectWhenItIsFirstAsked(@TempDir Path directory) throws Exception {
    ClientGuide.elsewhere().close();
    ClientGuide.carefully("secret", SSLContext.getDefault()).close();
    assertThat(ClientGuide.here(directory.resolve("data")).duplicate()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldPushAndConsume(boolean overHttp) {
    Holdfast entry = entry(overHttp);
    // when
    ClientGuide.push(entry);
    assertThat(ClientGuide.buffer(entry).duplicate()).isFalse();
    // then
    try (Consumer consumer = guide.consume(entry)) {
      eventually(() -> assertThat(consumer.counts().acked()).isEqualTo(4));
    }
    assertThat(guide.billed).containsExactly("{\"id\":1}", "3", "4", "{\"id\":3}");
    Counts counts = counts(QUEUE);
    assertThat(counts.delayed()).isEqualTo(1);
    assertThat(counts.waiting()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldAskAsynchronously(boolean overHttp) {
    assertThat(ClientGuide.asynchronously(entry(overHttp))).isTrue();
    eventually(() -> assertThat(counts(QUEUE).stored()).isEqualTo(1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldTakeAndForward(boolean overHttp) {
    Holdfast entry = entry(overHttp);
    entry.queue(QUEUE).push("1");
    entry.queue(QUEUE).push("2");
    // when
    assertThat(ClientGuide.take(entry)).map(HeldMessage::text).contains("1");
    HeldMessage second = entry.queue(QUEUE).group("billing").take().orElseThrow();
    ClientGuide.forward(entry, second);
    // then
    assertThat(second.isSettled()).isTrue();
    assertAllIsSettled(QUEUE);
    assertThat(counts("next-step").waiting()).isEqualTo(1);
  }

  @Test
  void shouldAckByItselfAndTellAListener() throws InterruptedException {
    // given
    AcksGuide acks = new AcksGuide();
    for (int i = 0; i < 3; i++) {
      holdfast.queue(QUEUE).push("" + i);
    }
    CountDownLatch enough = new CountDownLatch(1);
    // when
    Thread watching =
        Thread.ofPlatform()
            .start(
                () -> {
                  eventually(() -> assertThat(acks.processed).hasSize(3));
                  enough.countDown();
                });
    acks.autoAck(remote, enough);
    watching.join();
    // then
    eventually(() -> assertAllIsSettled(QUEUE));
    // when
    try (AckClient client = acks.listening(remote)) {
      client.setAutoAck(true).setAckTimeout(Duration.ofMillis(10));
      client.subscribeAsync(message -> {}, "queue://" + QUEUE);
      holdfast.queue(QUEUE).push("4");
      // then
      eventually(() -> assertThat(acks.results).isNotEmpty().allMatch(AckResult::allApplied));
    }
  }
}
