package io.holdfast.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.client.Holdfast;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every example does what it says, on a broker of this process and on one over HTTP. */
@Tag("slow")
class ExamplesTest {
  private static final long OUTSIDE_S = 60;

  @Nested
  class Embedded extends Runs {
    @Override
    Holdfast open(Broker engine) {
      return Holdfast.on(engine);
    }

    @Override
    void close(Broker engine) {
      engine.close();
    }
  }

  @Nested
  class OverHttp extends Runs {
    private @Nullable HoldfastServer server;

    @Override
    Holdfast open(Broker engine) {
      server = HoldfastServer.start(ServerConfig.defaults().port(0), engine);
      return Holdfast.connect(address());
    }

    private String address() {
      return "http://127.0.0.1:" + Objects.requireNonNull(server).port();
    }

    @Override
    void close(Broker engine) {
      Objects.requireNonNull(server).close();
    }

    @Test
    void shouldRunTheOneThatIsNamedAtAnAddress() throws Exception {
      // when
      int exit = Examples.main(new String[] {"first-steps", address()}, out());
      // then
      assertThat(exit).isZero();
      assertThat(printed()).endsWith("acked: 2");
      assertThat(counts(FirstSteps.ORDERS).stored()).isEqualTo(2);
    }
  }

  @Timeout(value = OUTSIDE_S, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  abstract static class Runs {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private Broker engine;
    private Holdfast holdfast;

    abstract Holdfast open(Broker engine);

    abstract void close(Broker engine);

    @BeforeEach
    void openBroker() {
      engine = EmbeddedBroker.open(EngineConfig.inMemory());
      holdfast = open(engine);
    }

    @AfterEach
    void closeBroker() {
      holdfast.close();
      close(engine);
    }

    PrintStream out() {
      return new PrintStream(written, true, UTF_8);
    }

    List<String> printed() {
      return written.toString(UTF_8).lines().toList();
    }

    private void run(Example example) throws Exception {
      example.run(holdfast, out());
    }

    Counts counts(String queue) {
      return engine.queue(queue).orThrow().counts();
    }

    private void assertAllSettled(String queue, long stored) {
      Counts counts = counts(queue);
      assertThat(counts.stored()).as("stored").isEqualTo(stored);
      assertThat(counts.waiting()).as("waiting").isZero();
      assertThat(counts.returned()).as("returned").isZero();
      assertThat(counts.inFlight()).as("in flight").isZero();
      assertThat(engine.stats().orThrow().leases()).as("leases").isZero();
    }

    private List<DeadLetter> dead(String queue) {
      return engine
          .deadLetters(DeadLettersRequest.of(DeadLetterFilter.queue(queue)))
          .orThrow()
          .items();
    }

    private static String text(DeadLetter letter) {
      return new String(letter.message().payload(), UTF_8);
    }

    @Test
    void shouldPushAndConsume() throws Exception {
      // when
      run(FirstSteps::run);
      // then
      assertAllSettled(FirstSteps.ORDERS, 2);
      assertThat(dead(FirstSteps.ORDERS)).isEmpty();
      assertThat(printed())
          .containsExactly(
              "order 2 was there already: true",
              "billed {\"order\":1}",
              "billed {\"order\":2}",
              "acked: 2");
    }

    @Test
    void shouldPushThroughABuffer() throws Exception {
      // when
      run(BufferedProducer::run);
      // then
      assertAllSettled(BufferedProducer.READINGS, 1_000);
      assertThat(printed()).containsExactly("stored: 1000", "read in order: 1000");
    }

    @Test
    void shouldAckUnderConditions() throws Exception {
      // when
      run(ConditionalAck::run);
      // then
      assertAllSettled(ConditionalAck.PAYMENTS, 3);
      assertThat(dead(ConditionalAck.PAYMENTS))
          .singleElement()
          .satisfies(
              letter -> {
                assertThat(text(letter)).isEqualTo("{\"card\":\"stolen\"}");
                assertThat(letter.error()).isEqualTo("the card is stolen");
              });
      assertThat(printed())
          .containsExactly(
              "{\"card\":\"good\"}, attempt 1: PAID",
              "{\"card\":\"of a busy bank\"}, attempt 1: BUSY",
              "{\"card\":\"of a busy bank\"}, attempt 2: PAID",
              "{\"card\":\"stolen\"}, attempt 1: STOLEN",
              "dead: the card is stolen");
    }

    @Test
    void shouldComeBackWhenTheServiceSays() throws Exception {
      // given
      long began = System.nanoTime();
      // when
      run(DelayedRetry::run);
      // then
      assertThat(System.nanoTime() - began).isGreaterThan(DelayedRetry.PAUSE.toNanos());
      assertAllSettled(DelayedRetry.CALLS, 4);
      assertThat(dead(DelayedRetry.CALLS)).isEmpty();
      assertThat(printed())
          .containsExactly(
              "{\"city\":\"Oslo\"} is sunny",
              "{\"city\":\"Rome\"} is sunny",
              "too many calls, again in 300 ms",
              "{\"city\":\"Lima\"} is sunny",
              "{\"city\":\"Cairo\"} is sunny",
              "given back: 1",
              "failed: 0");
    }

    @Test
    void shouldLeaveAServiceAloneThatIsDown() throws Exception {
      // when
      run(CircuitBreaker::run);
      // then
      assertAllSettled(CircuitBreaker.TRANSFERS, 5);
      assertThat(dead(CircuitBreaker.TRANSFERS)).isEmpty();
      assertThat(printed())
          .containsExactly("the circuit is open", "sent: 5", "failed calls: 3", "dead: 0");
    }

    @Test
    void shouldCountWhatHappens() throws Exception {
      // when
      run(AckMetrics::run);
      // then
      assertAllSettled(AckMetrics.EVENTS, 10);
      assertThat(dead(AckMetrics.EVENTS)).extracting(Runs::text).containsExactly("{\"event\":4}");
      assertThat(printed())
          .contains(
              "acked: 9",
              "failed: 3, dead: 1",
              "success rate: 75.00%",
              "group audit is behind by: 0")
          .anyMatch(line -> line.matches("a handler took: \\d+\\.\\d\\d ms"));
    }

    @Test
    void shouldSettleBatches() throws Exception {
      // when
      run(BatchAck::run);
      // then
      Counts counts = counts(BatchAck.LINES);
      assertThat(counts.stored()).isEqualTo(150);
      assertThat(counts.waiting()).isZero();
      assertThat(counts.inFlight()).isZero();
      assertThat(counts.returned()).isEqualTo(1);
      assertThat(printed())
          .containsExactly("acked with one request: 100", "acked or nacked with one request: 50");
      PopRequest retry = PopRequest.queue(BatchAck.LINES).waitMs(10_000);
      assertThat(engine.pop(retry).orThrow().messages())
          .singleElement()
          .satisfies(
              line -> {
                assertThat(line.message().payload()).asString(UTF_8).isEqualTo("{\"line\":133}");
                assertThat(line.failures()).isEqualTo(1);
              });
    }

    @Test
    void shouldForwardOnce() throws Exception {
      // when
      run(TransactionalForward::run);
      // then
      assertAllSettled(TransactionalForward.ORDERS, 3);
      assertThat(dead(TransactionalForward.ORDERS))
          .extracting(Runs::text)
          .containsExactly("{\"order\":2}");
      assertThat(counts(TransactionalForward.INVOICES).waiting()).isEqualTo(3);
      assertThat(
              engine.browse(BrowseRequest.queue(TransactionalForward.INVOICES)).orThrow().items())
          .extracting(browsed -> new String(browsed.message().payload(), UTF_8))
          .containsExactly(
              "{\"invoice\":{\"order\":2}}",
              "{\"invoice\":{\"order\":1}}",
              "{\"invoice\":{\"order\":3}}");
      assertThat(printed())
          .containsExactly(
              "invoiced {\"order\":1}",
              "not invoiced twice: {\"order\":2}",
              "invoiced {\"order\":3}");
    }

    @Test
    void shouldReviewDeadLetters() throws Exception {
      // when
      run(DeadLetterReview::run);
      // then
      assertAllSettled(DeadLetterReview.LETTERS, 3);
      assertThat(dead(DeadLetterReview.LETTERS))
          .extracting(Runs::text)
          .containsExactly("{\"to\":\"\"}");
      assertThat(printed())
          .containsExactly(
              "1 died of java.lang.IllegalStateException: no name",
              "2 died of java.lang.IllegalStateException: no way: the road is closed",
              "delivered {\"to\":\"Ann\"}",
              "delivered {\"to\":\"Ben\"}");
    }

    @Test
    void shouldShowTheSameEachTime() throws Exception {
      // given
      run(ConditionalAck::run);
      List<String> first = printed();
      written.reset();
      // when
      run(ConditionalAck::run);
      // then
      assertThat(printed()).isEqualTo(first);
      assertThat(dead(ConditionalAck.PAYMENTS)).hasSize(1);
    }
  }

  @Test
  void shouldListAllIfNoneIsNamed() throws Exception {
    // given
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    // when
    int exit = Examples.main(new String[0], new PrintStream(written, true, UTF_8));
    // then
    assertThat(exit).isZero();
    assertThat(written.toString(UTF_8).lines())
        .hasSameSizeAs(Examples.names())
        .allMatch(line -> Examples.names().contains(line.strip().split(" ", 2)[0]));
  }

  @Test
  void shouldListAllIfThereIsNoneOfThatName() throws Exception {
    // given
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    // when
    int exit = Examples.main(new String[] {"ack"}, new PrintStream(written, true, UTF_8));
    // then
    assertThat(exit).isNotZero();
    assertThat(written.toString(UTF_8))
        .startsWith("There is no example ack.")
        .contains("conditional-ack", "batch-ack");
  }

  @Test
  @Timeout(value = OUTSIDE_S, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldSayThatThereIsNoBroker() throws Exception {
    // given
    int unused;
    try (ServerSocket socket = new ServerSocket(0)) {
      unused = socket.getLocalPort();
    }
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    // when
    int exit =
        Examples.main(
            new String[] {"batch-ack", "http://127.0.0.1:" + unused},
            new PrintStream(written, true, UTF_8));
    // then
    assertThat(exit).isNotZero();
    assertThat(written.toString(UTF_8)).contains("cannot be reached").hasLineCount(1);
  }

  @Test
  @Timeout(value = OUTSIDE_S, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldOpenABrokerIfNoneIsNamed() throws Exception {
    // given
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    // when
    int exit = Examples.main(new String[] {"batch-ack"}, new PrintStream(written, true, UTF_8));
    // then
    assertThat(exit).isZero();
    assertThat(written.toString(UTF_8)).contains("acked with one request: 100");
  }
}
