package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Limits;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Five thousand long polls that wait at once.
 *
 * <p>The clock stands still unless the test moves it: so only an event can wake a poll, and not a
 * look at the queue now and then. How long a wake-up takes is printed, not judged.
 */
@Tag("slow")
class ParkedPollsTest {
  private static final int QUEUES = 50;
  private static final int POLLS = 5_000;
  private static final int ROUNDS = 15;

  /** From this queue on leases last for a second. */
  private static final int SHORT_LEASES_FROM = 45;

  private static final Duration SHORT_LEASE = Duration.ofSeconds(1);
  private static final Duration DELAY = Duration.ofMillis(100);
  private static final Pattern PAYLOAD = Pattern.compile("\"data\":(\\d+)");
  private static final Pattern LEASE = Pattern.compile("\"leaseId\":\"([^\"]+)\"");
  private static final long NONE = -1;

  /** A poll that was answered. */
  private record Woken(String queue, long payload, String lease, long nanos) {}

  @TempDir Path temp;
  private final ManualClock clock = new ManualClock();
  private EmbeddedBroker broker;
  private HoldfastServer server;
  private final List<Poll> polls = new ArrayList<>();
  private final BlockingQueue<Woken> woken = new LinkedBlockingQueue<>();
  private final Map<Long, Integer> seen = new ConcurrentHashMap<>();
  private final AtomicInteger answered = new AtomicInteger();
  private long next;

  @BeforeEach
  void start() {
    broker = EmbeddedBroker.open(EngineConfig.at(temp.resolve("data")), clock);
    server = HoldfastServer.start(ServerConfig.defaults().port(0), broker, clock);
    for (int i = 0; i < QUEUES; i++) {
      broker
          .configure(
              ConfigureRequest.queue("q" + i)
                  .set(QueueOption.DELIVERY, "shared")
                  .set(
                      QueueOption.LEASE_TIME,
                      i < SHORT_LEASES_FROM ? null : SHORT_LEASE.toSeconds()))
          .orThrow();
    }
  }

  @AfterEach
  void stop() {
    server.close();
    polls.forEach(Poll::close);
  }

  @Test
  void shouldWakeOnlyThosePollsThatThereIsWorkFor() throws Exception {
    // given
    park();

    // when
    for (int queue = 0; queue < 10; queue++) {
      push("q" + queue, 1, Duration.ZERO);
    }
    push("q20", 30, Duration.ZERO);

    // then
    for (int i = 0; i < 40; i++) {
      take();
    }
    assertParked(POLLS - 40);
    say("push", wakeUps(30, ROUNDS, this::wakeByPush));
    say("delay", wakeUps(30, ROUNDS, this::wakeByDelay));
    say("lease expiry", wakeUps(SHORT_LEASES_FROM, QUEUES - SHORT_LEASES_FROM, this::wakeByExpiry));
    say("pause", wakeUps(30, ROUNDS, this::wakeByResume));
    assertThat(seen.values()).as("deliveries of each message").containsOnly(1);
    assertThat(seen).hasSize((int) next);
    assertParked(POLLS - answered.get());
    assertThat(woken).isEmpty();
  }

  private static void say(String what, String figures) {
    System.out.println(POLLS + " parked polls, woken by " + what + ": " + figures);
  }

  private void park() {
    for (int i = 0; i < POLLS; i++) {
      String queue = "q" + i % QUEUES;
      Poll poll = Poll.start(server.port(), queue, Limits.WAIT_MS_MAX);
      polls.add(poll);
      Thread.ofVirtual().start(() -> receive(poll, queue));
    }
    assertParked(POLLS);
  }

  private void receive(Poll poll, String queue) {
    try {
      String answer = poll.answer();
      long nanos = System.nanoTime();
      answered.incrementAndGet();
      boolean message = answer.startsWith("HTTP/1.1 200");
      woken.add(
          new Woken(
              queue,
              message ? Long.parseLong(find(PAYLOAD, answer)) : NONE,
              message ? find(LEASE, answer) : "",
              nanos));
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static String find(Pattern field, String answer) {
    Matcher found = field.matcher(answer);
    assertThat(found.find()).as(answer).isTrue();
    return found.group(1);
  }

  private void assertParked(int count) {
    await()
        .atMost(WaitLimits.WORKLOAD)
        .untilAsserted(() -> assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(count));
  }

  private void push(String queue, int count, Duration delay) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] payload = Long.toString(next++).getBytes(StandardCharsets.US_ASCII);
      messages.add(NewMessage.to(queue, payload).delayMs(delay.toMillis()));
    }
    broker.push(PushRequest.of(messages)).orThrow();
  }

  /** The next poll that is answered; its message is counted. */
  private Woken take() throws InterruptedException {
    Woken one = woken.poll(WaitLimits.EVENT.toMillis(), TimeUnit.MILLISECONDS);
    assertThat(one).as("a poll that is answered").isNotNull();
    assertThat(one.payload()).as("the message of a poll that was woken").isNotEqualTo(NONE);
    seen.merge(one.payload(), 1, Integer::sum);
    return one;
  }

  /** Something that wakes one poll of a queue; answers how long after it that took, in ms. */
  private interface Wake {
    double once(String queue) throws InterruptedException;
  }

  private String wakeUps(int from, int rounds, Wake wake) throws InterruptedException {
    double[] millis = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      millis[i] = wake.once("q" + (from + i));
    }
    Arrays.sort(millis);
    return String.format(
        Locale.ROOT, "median %.1f ms, longest %.1f ms", millis[rounds / 2], millis[rounds - 1]);
  }

  /** Does something, and waits for the poll that it wakes; answers how long that took, in ms. */
  private double wake(String queue, Runnable event) throws InterruptedException {
    long begun = System.nanoTime();
    event.run();
    Woken one = take();
    assertThat(one.queue()).isEqualTo(queue);
    return (one.nanos() - begun) / 1e6;
  }

  private void assertNoneIsWoken() {
    assertThat(broker.stats().orThrow().parkedPops()).isEqualTo(POLLS - answered.get());
  }

  private double wakeByPush(String queue) throws InterruptedException {
    return wake(queue, () -> push(queue, 1, Duration.ZERO));
  }

  private double wakeByDelay(String queue) throws InterruptedException {
    push(queue, 1, DELAY);
    assertNoneIsWoken();
    return wake(queue, () -> clock.advance(DELAY));
  }

  /** A message that one poll got and let lie, which another gets when the lease is over. */
  private double wakeByExpiry(String queue) throws InterruptedException {
    push(queue, 1, Duration.ZERO);
    Woken first = take();
    assertNoneIsWoken();
    long begun = System.nanoTime();
    clock.advance(SHORT_LEASE);
    Woken second = take();
    assertThat(second.payload()).isEqualTo(first.payload());
    broker.settle(SettleRequest.of(Settle.ackAll(second.lease()))).orThrow();
    seen.put(second.payload(), 1);
    return (second.nanos() - begun) / 1e6;
  }

  private double wakeByResume(String queue) throws InterruptedException {
    broker.pause(queue, true).orThrow();
    push(queue, 1, Duration.ZERO);
    assertNoneIsWoken();
    return wake(queue, () -> broker.pause(queue, false).orThrow());
  }
}
