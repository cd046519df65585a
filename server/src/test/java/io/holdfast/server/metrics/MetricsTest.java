package io.holdfast.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.server.ServerFixture;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The metrics say what happened. */
class MetricsTest extends ServerFixture {
  private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);

  private Scrape scrape() {
    Reply reply = get("/metrics").expect(200);
    assertThat(reply.header("Content-Type")).startsWith("text/plain; version=0.0.4");
    return Scrape.of(reply.http().body());
  }

  private void push(String queue, int count) {
    String item = "{'queue':'" + queue + "','payload':1}";
    String items = String.join(",", Collections.nCopies(count, item));
    post("/api/v1/push", "{'items':[" + items + "]}").expect(201);
  }

  private Reply pop(String queue, int batch) {
    return get("/api/v1/pop/queue/" + queue + "?batch=" + batch).expect(200);
  }

  private void settle(Reply popped, int index, String status) {
    post(
            "/api/v1/ack",
            "{'transactionId':'%s','partitionId':'%s','leaseId':'%s','status':'%s'}"
                .formatted(
                    popped.text("/messages/" + index + "/transactionId"),
                    popped.text("/messages/" + index + "/partitionId"),
                    popped.text("/leaseId"),
                    status))
        .expect(200);
  }

  @Test
  void shouldCountWhatHappened() {
    // given
    push("orders", 6);
    post(
            "/api/v1/push",
            "{'items':[{'queue':'orders','payload':1,'transactionId':'a','delaySeconds':9000},"
                + "{'queue':'orders','payload':1,'transactionId':'a'}]}")
        .expect(201);
    // when
    Reply popped = pop("orders", 5);
    settle(popped, 0, "completed");
    settle(popped, 1, "completed");
    settle(popped, 1, "completed");
    settle(popped, 2, "failed");
    settle(popped, 3, "kill");
    settle(popped, 4, "release");
    // then
    Scrape scrape = scrape();
    assertThat(scrape.value("holdfast_broker_up")).isEqualTo(1);
    assertThat(scrape.value("holdfast_broker_info{durability=\"fsync\"}")).isEqualTo(1);
    assertThat(scrape.value("holdfast_messages_pushed_total")).isEqualTo(7);
    assertThat(scrape.value("holdfast_messages_duplicate_total")).isEqualTo(1);
    assertThat(scrape.value("holdfast_messages_delivered_total")).isEqualTo(5);
    assertThat(scrape.value("holdfast_acks_total{outcome=\"acked\"}")).isEqualTo(2);
    assertThat(scrape.value("holdfast_acks_total{outcome=\"nacked\"}")).isEqualTo(1);
    assertThat(scrape.value("holdfast_acks_total{outcome=\"released\"}")).isEqualTo(1);
    assertThat(scrape.value("holdfast_acks_total{outcome=\"dead\"}")).isEqualTo(1);
    assertThat(scrape.value("holdfast_acks_total{outcome=\"dropped\"}")).isEqualTo(0);
    assertThat(scrape.value("holdfast_acks_total{outcome=\"unknown\"}")).isEqualTo(1);
    assertThat(scrape.value("holdfast_retries_total")).isEqualTo(1);
    assertThat(scrape.value("holdfast_dead_letters")).isEqualTo(1);
    assertThat(scrape.value("holdfast_leases")).isEqualTo(0);
    assertThat(scrape.value("holdfast_fsyncs_total")).isPositive();
    assertThat(scrape.value("holdfast_fsync_seconds_total")).isPositive();
    assertThat(scrape.value("holdfast_batches_total")).isPositive();
    assertThat(scrape.value("holdfast_stored_bytes")).isPositive();
    assertThat(state(scrape, "waiting")).isEqualTo(1);
    assertThat(state(scrape, "returned")).isEqualTo(2);
    assertThat(state(scrape, "in_flight")).isEqualTo(0);
    assertThat(state(scrape, "delayed")).isEqualTo(1);
    assertThat(state(scrape, "dead")).isEqualTo(1);
    assertThat(scrape.value("holdfast_queue_pushed_total{queue=\"orders\"}")).isEqualTo(7);
    assertThat(scrape.value("holdfast_queue_delivered_total{queue=\"orders\"}")).isEqualTo(5);
    assertThat(scrape.value("holdfast_queue_acked_total{queue=\"orders\"}")).isEqualTo(2);
  }

  private static double state(Scrape scrape, String state) {
    return scrape.value("holdfast_queue_messages{queue=\"orders\",state=\"" + state + "\"}");
  }

  @Test
  void shouldTellLagAndItsAge() {
    // given
    push("orders", 3);
    pop("orders", 1);
    // when
    advanceSeconds(40);
    // then
    Scrape scrape = scrape();
    String labels = "{group=\"__QUEUE_MODE__\",queue=\"orders\"}";
    assertThat(scrape.value("holdfast_group_lag_messages" + labels)).isEqualTo(3);
    assertThat(scrape.value("holdfast_group_oldest_seconds" + labels)).isEqualTo(40);
    assertThat(state(scrape, "in_flight")).isEqualTo(1);
    assertThat(scrape.value("holdfast_leases")).isEqualTo(1);
  }

  @Test
  void shouldCountLeasesThatRanOut() {
    // given
    push("orders", 2);
    get("/api/v1/pop/queue/orders?batch=2&leaseSeconds=10").expect(200);
    // when
    advanceSeconds(11);
    // then
    Awaitility.await()
        .untilAsserted(
            () -> assertThat(scrape().value("holdfast_lease_expirations_total")).isEqualTo(2));
    assertThat(state(scrape(), "returned")).isEqualTo(2);
  }

  @Test
  void shouldCountMessagesDroppedWithoutDeadLetters() {
    // given
    broker
        .configure(
            ConfigureRequest.queue("orders")
                .set(QueueOption.RETRY_LIMIT, 0)
                .set(QueueOption.DEAD_LETTER_QUEUE, false)
                .set(QueueOption.DLQ_AFTER_MAX_RETRIES, false))
        .orThrow();
    push("orders", 1);
    // when
    settle(pop("orders", 1), 0, "failed");
    // then
    Scrape scrape = scrape();
    assertThat(scrape.value("holdfast_acks_total{outcome=\"dropped\"}")).isEqualTo(1);
    assertThat(scrape.value("holdfast_acks_total{outcome=\"dead\"}")).isEqualTo(0);
  }

  @Test
  void shouldMeasureHowLongMessagesWaited() {
    // given
    push("orders", 2);
    advanceSeconds(3);
    push("orders", 1);
    // when
    Reply popped = pop("orders", 3);
    settle(popped, 0, "release");
    settle(popped, 1, "release");
    settle(popped, 2, "release");
    pop("orders", 3);
    // then
    Scrape scrape = scrape();
    String name = "holdfast_delivery_latency_seconds";
    assertThat(scrape.types()).containsEntry(name, "histogram");
    assertThat(scrape.value(name + "_count")).isEqualTo(3);
    assertThat(scrape.value(name + "_sum")).isEqualTo(6);
    assertThat(scrape.value(name + "_bucket{le=\"0.001\"}")).isEqualTo(1);
    assertThat(scrape.value(name + "_bucket{le=\"2.5\"}")).isEqualTo(1);
    assertThat(scrape.value(name + "_bucket{le=\"5.0\"}")).isEqualTo(3);
    assertThat(scrape.value(name + "_bucket{le=\"+Inf\"}")).isEqualTo(3);
  }

  @Test
  void shouldMeasureHowLongAcksTook() {
    // given
    push("orders", 3);
    Reply popped = pop("orders", 3);
    assertThat(scrape().value("holdfast_leases_remembered")).isEqualTo(1);
    // when
    advanceSeconds(2);
    settle(popped, 0, "completed");
    settle(popped, 1, "failed");
    advanceSeconds(60);
    settle(popped, 2, "completed");
    // then
    Scrape scrape = scrape();
    String name = "holdfast_ack_latency_seconds";
    assertThat(scrape.value(name + "_count")).isEqualTo(2);
    assertThat(scrape.value(name + "_sum")).isEqualTo(64);
    assertThat(scrape.value(name + "_bucket{le=\"2.5\"}")).isEqualTo(1);
    assertThat(scrape.value(name + "_bucket{le=\"300.0\"}")).isEqualTo(2);
    assertThat(scrape.value("holdfast_leases_remembered")).isEqualTo(0);
  }

  @Test
  void shouldMeasureSettlesThatPopsAndCommitsCarry() {
    // given
    Metrics metrics = new Metrics(broker, clock);
    metrics.metered().push(PushRequest.of(NewMessage.to("q", BODY), NewMessage.to("q", BODY)));
    Popped first = metrics.metered().pop(PopRequest.queue("q")).orThrow();
    advanceSeconds(1);
    // when
    Settle ackFirst = Settle.ack(first.messages().getFirst().handle());
    Popped second =
        metrics.metered().pop(PopRequest.queue("q").settles(List.of(ackFirst))).orThrow();
    advanceSeconds(4);
    metrics
        .metered()
        .commit(
            CommitRequest.of(
                new Operation.SettleMessage(Settle.ackAll(second.leaseId())),
                new Operation.PushMessage(NewMessage.to("other", BODY), false)))
        .orThrow();
    // then
    Scrape scrape = scrape(metrics);
    assertThat(scrape.value("holdfast_ack_latency_seconds_count")).isEqualTo(2);
    assertThat(scrape.value("holdfast_ack_latency_seconds_sum")).isEqualTo(5);
    assertThat(scrape.value("holdfast_queue_acked_total{queue=\"q\"}")).isEqualTo(2);
    assertThat(scrape.value("holdfast_queue_pushed_total{queue=\"other\"}")).isEqualTo(1);
    assertThat(scrape.value("holdfast_leases_remembered")).isEqualTo(0);
  }

  private static Scrape scrape(Metrics metrics) {
    return Scrape.of(metrics.text());
  }

  @Test
  void shouldEscapeNames() {
    // given
    String name = "a\"b\\c{d}=,\u00e4 \uD83D\uDE00";
    broker.push(PushRequest.of(NewMessage.to(name, BODY))).orThrow();
    broker.pop(PopRequest.queue(name).group(name)).orThrow();
    // then
    String shown = "a\\\"b\\\\c{d}=,\u00e4 \uD83D\uDE00";
    Scrape scrape = scrape();
    assertThat(scrape.value("holdfast_queue_messages{queue=\"" + shown + "\",state=\"in_flight\"}"))
        .isEqualTo(1);
    assertThat(
            scrape.value(
                "holdfast_group_lag_messages{group=\"" + shown + "\",queue=\"" + shown + "\"}"))
        .isEqualTo(1);
  }

  @Test
  void shouldSumTheQueuesThatAreTooManyToShow() {
    // given
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      messages.add(NewMessage.to("q%04d".formatted(i), BODY));
    }
    broker.push(new PushRequest(messages, null)).orThrow();
    scrape();
    // when
    Duration begun = cpuTime();
    Reply reply = get("/metrics").expect(200);
    Duration took = cpuTime().minus(begun);
    // then
    Scrape scrape = Scrape.of(reply.http().body());
    assertThat(scrape.series("holdfast_queue_messages")).hasSize(5 * (1_000 + 1));
    assertThat(scrape.value("holdfast_queue_messages{queue=\"q0999\",state=\"waiting\"}"))
        .isEqualTo(1);
    assertThat(scrape.value("holdfast_queue_messages{queue=\"\",state=\"waiting\"}"))
        .isEqualTo(1_000);
    assertThat(scrape.value("holdfast_queues{told=\"alone\"}")).isEqualTo(1_000);
    assertThat(scrape.value("holdfast_queues{told=\"summed\"}")).isEqualTo(1_000);
    assertThat(scrape.value("holdfast_queues{told=\"not_at_all\"}")).isEqualTo(0);
    assertThat(reply.http().body().length()).isLessThan(2_000_000);
    assertThat(took).isLessThan(Duration.ofSeconds(10));
  }

  /** What this process has taken of the processors, whatever else they are busy with. */
  private static Duration cpuTime() {
    return Duration.ofNanos(
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime());
  }

  @Test
  void shouldLimitTheQueuesThatAreCountedOnTheWay() {
    // given
    Metrics metrics = new Metrics(broker, clock);
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < 1_200; i++) {
      messages.add(NewMessage.to("q%04d".formatted(i), BODY));
    }
    // when
    metrics.metered().push(new PushRequest(messages, null)).orThrow();
    // then
    Scrape scrape = scrape(metrics);
    assertThat(scrape.series("holdfast_queue_pushed_total")).hasSize(1_000 + 1);
    assertThat(scrape.value("holdfast_queue_pushed_total{queue=\"\"}")).isEqualTo(200);
  }

  @Test
  void shouldForgetTheCountsOfADeletedQueue() {
    // given
    Metrics metrics = new Metrics(broker, clock);
    metrics.metered().push(PushRequest.of(NewMessage.to("q", BODY))).orThrow();
    assertThat(scrape(metrics).values()).containsKey("holdfast_queue_pushed_total{queue=\"q\"}");
    // when
    metrics.metered().deleteQueue("q").orThrow();
    // then
    assertThat(scrape(metrics).values())
        .doesNotContainKey("holdfast_queue_pushed_total{queue=\"q\"}");
  }

  @Test
  void shouldMeasureCallsByRouteAndNeverByPath() {
    // given
    push("orders", 1);
    get("/api/v1/pop/queue/secret-name").expect(204);
    get("/no/such/route").expect(404);
    post("/api/v1/push", "{").expect(400);
    // when
    Reply reply = get("/metrics/prometheus").expect(200);
    // then
    Scrape scrape = Scrape.of(reply.http().body());
    String name = "holdfast_http_request_duration_seconds_count";
    assertThat(scrape.value(name + "{method=\"POST\",route=\"/api/v1/push\",status=\"201\"}"))
        .isEqualTo(1);
    assertThat(scrape.value(name + "{method=\"POST\",route=\"/api/v1/push\",status=\"400\"}"))
        .isEqualTo(1);
    assertThat(
            scrape.value(
                name + "{method=\"GET\",route=\"/api/v1/pop/queue/{queue}\",status=\"204\"}"))
        .isEqualTo(1);
    assertThat(scrape.value(name + "{method=\"none\",route=\"none\",status=\"404\"}")).isEqualTo(1);
    assertThat(scrape.series("holdfast_http_request_duration_seconds_bucket")).isNotEmpty();
    assertThat(reply.http().body()).doesNotContain("/no/such", "route=\"/api/v1/pop/queue/secret");
  }

  @Test
  void shouldSayWhenTheBrokerIsNotUp() {
    // given
    Metrics metrics = new Metrics(broker, clock);
    // when
    broker.close();
    // then
    Scrape scrape = scrape(metrics);
    assertThat(scrape.value("holdfast_broker_up")).isEqualTo(0);
    assertThat(scrape.types()).doesNotContainKey("holdfast_queue_messages");
  }

  @Test
  void shouldReleaseNothingByLooking() {
    // given
    push("orders", 1);
    Reply popped = pop("orders", 1);
    // when
    scrape();
    // then
    broker.settle(SettleRequest.of(Settle.ackAll(popped.text("/leaseId")))).orThrow();
    assertThat(scrape().value("holdfast_acks_total{outcome=\"acked\"}")).isEqualTo(1);
  }
}
