package io.holdfast.client.acks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * A client on a broker in memory, under a clock that stands still, with a line that can be cut.
 *
 * <p>What other threads do is waited for; what they must not do is judged by when requests came.
 */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class AckFixture {
  static final String QUEUE = "orders";
  static final String TOPIC = "queue://orders";
  static final Duration POLL_WAIT = Duration.ofSeconds(1);
  static final Duration STOP = Duration.ofSeconds(10);
  static final int RECONNECT_LIMIT = 3;

  private static final Duration STEP = Duration.ofMillis(100);

  final ManualClock clock = new ManualClock();
  final Broker engine = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
  final CutBroker broker = new CutBroker(engine, clock);
  final Heard heard = new Heard();
  final AckClientConfig config =
      AckClientConfig.DEFAULTS
          .name("test")
          .time(clock)
          .listener(heard)
          .pollWait(POLL_WAIT)
          .stopTimeout(STOP)
          .reconnect(RECONNECT_LIMIT, Duration.ofMillis(100), Duration.ofSeconds(1));
  final AckClient client = AckClient.on(broker, config);

  /** The payloads that {@link #note} has seen. */
  final List<String> handled = new CopyOnWriteArrayList<>();

  /** What it has seen. */
  final List<QueueMessage> messages = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    broker.mend();
    client.close();
    engine.close();
  }

  void note(QueueMessage message) {
    messages.add(message);
    handled.add(text(message));
  }

  static String text(QueueMessage message) {
    return new String(message.payload(), StandardCharsets.UTF_8);
  }

  void makeShared(String queue) {
    engine.configure(ConfigureRequest.queue(queue).set(QueueOption.DELIVERY, "shared")).orThrow();
  }

  List<UUID> push(String... payloads) {
    return pushTo(QUEUE, payloads);
  }

  List<UUID> pushTo(String queue, String... payloads) {
    NewMessage[] all =
        Stream.of(payloads)
            .map(text -> NewMessage.to(queue, text.getBytes(StandardCharsets.UTF_8)))
            .toArray(NewMessage[]::new);
    return engine.push(PushRequest.of(all)).orThrow().messages().stream()
        .map(pushed -> pushed.id())
        .toList();
  }

  void advanceMs(long ms) {
    clock.advance(Duration.ofMillis(ms));
  }

  static void eventually(Runnable assertion) {
    await().pollInterval(Duration.ofMillis(2)).untilAsserted(assertion::run);
  }

  /** Lets time pass in small steps until something has happened. */
  void passUntil(BooleanSupplier happened) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              boolean now = happened.getAsBoolean();
              if (!now) {
                clock.advance(STEP);
              }
              return now;
            });
  }

  void eventuallyHandled(String... payloads) {
    eventually(() -> assertThat(handled).containsExactly(payloads));
  }

  static void awaitLatch(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  /** Cuts the line and waits until the subscription has noticed. */
  void disconnect() {
    int before = heard.cleared.size();
    broker.cut();
    passUntil(() -> heard.cleared.size() > before);
  }

  void reconnect() {
    int before = heard.events.size();
    broker.mend();
    passUntil(() -> heard.events.size() > before);
  }

  Counts counts() {
    return engine.queue(QUEUE).orThrow().counts();
  }

  long ackedCount() {
    return engine.stats().orThrow().totals().acked();
  }

  void eventuallyAcked(long count) {
    eventually(() -> assertThat(ackedCount()).isEqualTo(count));
  }

  MessageDetail.GroupView view(UUID id) {
    List<MessageDetail.GroupView> groups = engine.message(MessageRef.id(id)).orThrow().groups();
    assertThat(groups).as("made by the first poll").hasSize(1);
    return groups.get(0);
  }

  MessageState stateOf(UUID id) {
    return view(id).state();
  }

  /** The bookmarks of a request, joined by commas. */
  static String bookmarks(CutBroker.Sent sent) {
    return Bookmark.join(
        sent.request().settles().stream()
            .map(settle -> ((Settle.Target.Held) settle.target()).handle())
            .map(Bookmark::of)
            .toList());
  }

  static List<AckVerdict.Status> statuses(AckResult result) {
    return result.verdicts().stream().map(AckVerdict::status).toList();
  }
}
