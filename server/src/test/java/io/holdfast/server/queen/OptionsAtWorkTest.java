package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.server.MessagesFixture;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Every option of a queue does over HTTP what it says. */
class OptionsAtWorkTest extends MessagesFixture {
  private static final String FAILED = ",'status':'failed','error':'no'";

  private void given(String options) {
    configure("q", options).expect(200);
  }

  private List<DeadLetter> dead() {
    return broker.deadLetters(DeadLettersRequest.of(DeadLetterFilter.queue("q"))).orThrow().items();
  }

  @Test
  void shouldRetryAfterItsDelayAndLongerEachTime() {
    // given
    given("'retryDelay':2000,'retryFactor':3,'retryDelayMax':5000");
    pushNamed("q", "a");
    // then
    for (long seconds : new long[] {2, 5, 5}) {
      ackFirst(pop("q"), FAILED);
      advanceSeconds(seconds - 1);
      expectNothing("q", "BACKOFF");
      advanceSeconds(1);
    }
    assertThat(pop("q").number("/messages/0/retryCount")).isEqualTo(3);
  }

  @Test
  void shouldDieAfterItsRetries() {
    // given
    given("'retryLimit':1,'retryDelay':0");
    pushNamed("q", "a");
    // when
    Reply first = ackFirst(pop("q"), FAILED);
    Reply second = ackFirst(pop("q"), FAILED);
    // then
    assertThat(first.text("/message")).isEqualTo("failed_retry");
    assertThat(second.text("/message")).isEqualTo("failed_dlq");
    assertThat(dead()).hasSize(1);
    assertThat(dead().getFirst().error()).isEqualTo("no");
  }

  @Test
  void shouldSpreadRetries() {
    // given
    given("'retryDelay':1000,'retryJitter':true,'delivery':'shared'");
    pushNamed("q", "a", "b", "c", "d", "e", "f", "g", "h");
    Reply popped = pop("q", "?batch=8");
    // when
    long spread =
        java.util.stream.IntStream.range(0, 8)
            .mapToObj(i -> post("/api/v1/ack", "{" + handle(popped, i) + FAILED + "}"))
            .map(reply -> reply.text("/nextRetryAt"))
            .distinct()
            .count();
    // then
    assertThat(spread).isGreaterThan(1);
  }

  @Test
  void shouldRefuseMoreThanItsSize() {
    // given
    given("'maxSize':2");
    pushNamed("q", "a", "b");
    // when
    Reply full = post("/api/v1/push", "{'items':[{'queue':'q','payload':1}]}").expect(429);
    // then
    assertThat(full.text("/code")).isEqualTo("FULL");
    assertThat(full.header("Retry-After")).isEqualTo("1");
    ackFirst(pop("q"), "");
    push("q", "1");
  }

  @Test
  void shouldDropWhatWaitedLongerThanItsTtl() {
    // given
    given("'ttl':10");
    pushNamed("q", "a");
    advanceSeconds(5);
    pushNamed("q", "b");
    // when
    advanceSeconds(5);
    // then
    assertThat(data(pop("q", "?batch=9"))).isEqualTo("b");
    assertThat(dead()).isEmpty();
  }

  @Test
  void shouldServeQueuesOfHigherPriorityFirst() {
    // given
    configure("low", "'namespace':'n','priority':1").expect(200);
    configure("high", "'namespace':'n','priority':5,'task':'t'").expect(200);
    pushNamed("low", "a", "b");
    pushNamed("high", "c");
    // when
    Reply first = get("/api/v1/pop?namespace=n&autoAck=true").expect(200);
    Reply second = get("/api/v1/pop?namespace=n&autoAck=true").expect(200);
    // then
    assertThat(data(first) + data(second)).isEqualTo("ca");
    assertThat(second.text("/messages/0/queue")).isEqualTo("low");
    get("/api/v1/pop?task=t").expect(204);
    get("/api/v1/pop").expect(400);
  }

  @Test
  void shouldWithholdAPartitionUntilItIsQuiet() {
    // given
    given("'windowBuffer':10");
    pushNamed("q", "a");
    advanceSeconds(8);
    pushNamed("q", "b");
    // when
    advanceSeconds(9);
    // then
    expectNothing("q", "WINDOW");
    advanceSeconds(1);
    assertThat(data(pop("q", "?batch=9"))).isEqualTo("ab");
  }

  @Test
  void shouldDelayEveryMessage() {
    // given
    given("'delayedProcessing':10");
    pushNamed("q", "a");
    advanceSeconds(4);
    pushNamed("q", "b");
    // then
    advanceSeconds(5);
    expectNothing("q", "DELAYED");
    advanceSeconds(1);
    assertThat(data(pop("q", "?batch=9"))).isEqualTo("a");
  }

  @Test
  void shouldTurnWhatWaitedTooLongIntoDeadLetters() {
    // given
    given("'maxWaitTimeSeconds':60");
    get("/api/v1/pop/queue/q").expect(204);
    pushNamed("q", "a");
    advanceSeconds(1);
    pushNamed("q", "b");
    // when
    advanceSeconds(59);
    // then
    assertThat(data(pop("q", "?batch=9"))).isEqualTo("b");
    Awaitility.await().untilAsserted(() -> assertThat(dead()).hasSize(1));
    assertThat(dead().getFirst().message().transactionId()).isEqualTo("a");
  }

  @Test
  void shouldForgetUnsettledMessagesAfterTheirRetention() {
    // given
    given("'retentionSeconds':60,'retentionEnabled':true");
    pushNamed("q", "a");
    advanceSeconds(30);
    pushNamed("q", "b");
    // when
    advanceSeconds(30);
    // then
    assertThat(data(pop("q", "?batch=9"))).isEqualTo("b");
    awaitTrimmed("a");
  }

  /** Waits for the sweep that frees a message, which the ticker starts. */
  private void awaitTrimmed(String transactionId) {
    MessageRef message = MessageRef.named("q", "Default", transactionId);
    Awaitility.await().until(() -> !broker.message(message).isOk());
  }

  @Test
  void shouldKeepSettledMessagesForTheirRetention() {
    // given
    given("'completedRetentionSeconds':60");
    pushNamed("q", "a");
    ackFirst(pop("q"), "");
    // when
    advanceSeconds(59);
    Reply replayed = pop("q", "?consumerGroup=late");
    // then
    assertThat(data(replayed)).isEqualTo("a");
    ackFirst(replayed, "");
    advanceSeconds(1);
    get("/api/v1/pop/queue/q?consumerGroup=later").expect(204);
  }

  /** What Queen's client sends for every queue. */
  @Test
  void shouldKeepSettledMessagesWhileThereIsRoom() {
    // given
    given("'completedRetentionSeconds':0");
    pushNamed("q", "a", "b");
    ackFirst(pop("q"), "");
    ackFirst(pop("q"), "");
    // when
    advanceSeconds(30L * 24 * 3600);
    // then
    assertThat(data(pop("q", "?consumerGroup=late&batch=9"))).isEqualTo("ab");
    assertThat(get("/api/v1/resources/queues/q").number("/options/completedRetentionSeconds"))
        .isZero();
  }

  @Test
  void shouldForgetSettledMessagesAtOnce() {
    // given
    given("'completedRetentionSeconds':-1");
    pushNamed("q", "a");
    ackFirst(pop("q"), "");
    // when
    advanceSeconds(1);
    // then
    awaitTrimmed("a");
    get("/api/v1/pop/queue/q?consumerGroup=late").expect(204);
    assertThat(get("/api/v1/resources/queues/q").number("/options/completedRetentionSeconds"))
        .isEqualTo(-1);
  }

  @Test
  void shouldRememberNamesForTheirWindow() {
    // given
    given("'dedupWindowSeconds':60,'completedRetentionSeconds':-1");
    pushNamed("q", "a");
    ackFirst(pop("q"), "");
    String again = "{'items':[{'queue':'q','payload':1,'transactionId':'a'}]}";
    // then
    advanceSeconds(59);
    awaitTrimmed("a");
    assertThat(post("/api/v1/push", again).expect(201).text("/0/status")).isEqualTo("duplicate");
    advanceSeconds(1);
    assertThat(post("/api/v1/push", again).expect(201).text("/0/status")).isEqualTo("queued");
  }

  @Test
  void shouldLeaseForItsTimeUnlessThePopSays() {
    // given
    given("'leaseTime':20");
    pushNamed("q", "a");
    // then
    assertThat(pop("q").text("/leaseExpiresAt")).isEqualTo("2026-01-01T00:00:20.000Z");
    advanceSeconds(20);
    assertThat(pop("q", "?leaseSeconds=5").text("/leaseExpiresAt"))
        .isEqualTo("2026-01-01T00:00:25.000Z");
  }

  @Test
  void shouldKeepNoDeadLettersIfBothOptionsSaySo() {
    String[][] cases = {
      {"'deadLetterQueue':false,'dlqAfterMaxRetries':true", "failed_dlq", "1"},
      {"'deadLetterQueue':true,'dlqAfterMaxRetries':false", "failed_dlq", "2"},
      {"'deadLetterQueue':false,'dlqAfterMaxRetries':false", "failed_dropped", "2"},
    };
    for (String[] one : cases) {
      given("'retryLimit':0," + one[0]);
      pushNamed("q", one[0].replace('\'', '-'));
      assertThat(ackFirst(pop("q"), FAILED).text("/message")).isEqualTo(one[1]);
      assertThat(dead()).hasSize(Integer.parseInt(one[2]));
    }
  }

  @Test
  void shouldForgetDeadLettersAfterTheirRetention() {
    // given
    given("'deadRetentionSeconds':60");
    pushNamed("q", "a");
    ackFirst(pop("q"), ",'status':'dlq'");
    advanceSeconds(59);
    assertThat(dead()).hasSize(1);
    // when
    advanceSeconds(1);
    // then
    Awaitility.await().untilAsserted(() -> assertThat(dead()).isEmpty());
  }

  @Test
  void shouldKillWhatKillsItsWorkers() {
    // given
    given("'deliveryLimit':2,'leaseTime':1");
    pushNamed("q", "a");
    // when
    for (int i = 0; i < 4 && dead().isEmpty(); i++) {
      get("/api/v1/pop/queue/q");
      advanceSeconds(1);
      get("/api/v1/pop/queue/q?consumerGroup=other").expect(200);
    }
    // then
    Awaitility.await()
        .untilAsserted(
            () -> assertThat(dead().stream().map(DeadLetter::group)).contains("__QUEUE_MODE__"));
  }

  @Test
  void shouldRefuseSettlesWithoutALeaseIfItRequiresOne() {
    // given
    given("'requireLease':true");
    pushNamed("q", "a");
    Reply popped = pop("q");
    // when
    Reply refused = post("/api/v1/ack", "{" + unfenced(popped, 0) + "}").expect(200);
    // then
    assertThat(refused.text("/message")).isEqualTo("lease_required");
    assertThat(refused.flag("/success")).isFalse();
    assertThat(ackFirst(popped, "").flag("/success")).isTrue();
  }

  @Test
  void shouldDeliverInOrderOrShared() {
    // given
    pushNamed("q", "a", "b");
    pushNamed("s", "a", "b");
    configure("s", "'delivery':'shared'").expect(200);
    // when
    pop("q");
    pop("s");
    // then
    expectNothing("q", "LOCKED");
    assertThat(data(pop("s"))).isEqualTo("b");
  }

  @Test
  void shouldBlockOrSkipWhatFailed() {
    for (String[] one : new String[][] {{"block", "BACKOFF"}, {"skip", ""}}) {
      configure(one[0], "'onFailure':'" + one[0] + "'").expect(200);
      pushNamed(one[0], "a", "b");
      ackFirst(pop(one[0]), FAILED);
      if (one[1].isEmpty()) {
        assertThat(data(pop(one[0]))).isEqualTo("b");
      } else {
        expectNothing(one[0], one[1]);
      }
    }
  }

  @Test
  void shouldHoldNoMoreThanItsLimitInFlight() {
    // given
    given("'maxInFlight':2,'delivery':'shared'");
    pushNamed("q", "a", "b", "c");
    // when
    Reply popped = pop("q", "?batch=9");
    // then
    assertThat(data(popped)).isEqualTo("ab");
    expectNothing("q", "IN_FLIGHT_LIMIT");
    ackFirst(popped, "");
    assertThat(data(pop("q"))).isEqualTo("c");
  }

  @Test
  void shouldKeepTasksOnlyIfItTracks() {
    // given
    pushNamed("q", "a");
    given("'track':true");
    // when
    pushNamed("q", "b");
    // then
    assertThat(broker.task(MessageRef.named("q", "Default", "a")).isOk()).isFalse();
    assertThat(broker.task(MessageRef.named("q", "Default", "b")).isOk()).isTrue();
  }
}
