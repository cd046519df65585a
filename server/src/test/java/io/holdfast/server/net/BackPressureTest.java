package io.holdfast.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.server.http.Access;
import io.holdfast.server.http.Route;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Answers that are longer than the client reads at once. */
class BackPressureTest extends ListenerFixture {
  private final AtomicInteger written = new AtomicInteger();

  @Override
  protected List<Route> routes() {
    return List.of(
        Route.get("/stream", Access.READ, "", "", call -> stream(written)),
        Route.get("/n/{n}", Access.READ, "", "", call -> text("<" + call.part("n") + ">")));
  }

  @Test
  void shouldWriteAStreamOnlyAsFastAsItIsRead() {
    // given
    Client client = connect().send(get("/stream"));
    // when
    client.readTo("\r\n\r\n");
    // then
    awaitStandstill(written);
    assertThat(written.get()).as("pieces").isLessThan(PIECES);
    assertThat(client.readTo("end\r\n0\r\n\r\n")).hasSizeGreaterThan(PIECE_BYTES * PIECES);
  }

  @Test
  void shouldReadOnlyALittleAhead() {
    // given
    Client client = connect();
    client.send(get("/stream"));
    awaitStandstill(written);
    // when: more than it reads ahead and the system buffers
    AtomicInteger sent = new AtomicInteger();
    String many = get("/n/1").repeat(500);
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                for (int i = 0; i < 2_000; i++) {
                  client.send(many);
                  sent.incrementAndGet();
                }
              } catch (UncheckedIOException closed) {
                // The test is over.
              }
            });
    // then
    awaitStandstill(sent);
    assertThat(sent.get()).isLessThan(2_000);
  }

  /** Waits until a count has grown, and grows no more. */
  private static void awaitStandstill(AtomicInteger count) {
    AtomicInteger before = new AtomicInteger();
    await()
        .pollInterval(Duration.ofMillis(200))
        .until(() -> before.getAndSet(count.get()) == count.get() && count.get() > 0);
  }
}
