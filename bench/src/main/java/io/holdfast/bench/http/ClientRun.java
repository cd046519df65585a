package io.holdfast.bench.http;

import io.holdfast.api.Counts;
import io.holdfast.api.NewMessage;
import io.holdfast.bench.Aim;
import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Deliveries;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Report;
import io.holdfast.client.Holdfast;
import io.holdfast.client.NamedQueue;
import io.holdfast.client.acks.AckClient;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.consume.HeldMessage;
import io.holdfast.client.produce.Outgoing;
import io.holdfast.client.produce.PushBuffer;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code bench client}: what applications use, against a server in a JVM of its own.
 *
 * <p>Thread: the one that runs the bench.
 */
public final class ClientRun {
  private static final String RAW = "raw-flow";
  private static final String FLOW = "client-flow";
  private static final String SATURATED = "-4";
  private static final int SATURATING = 4;
  private static final String ACKS = "client-acks-";
  private static final String TASKS = "client-tasks";
  private static final List<Integer> ACK_BATCHES = List.of(1, 10, 100);
  private static final int BATCH = 100;
  private static final long WARM_UP_MS = 5_000;
  private static final int ON_THEIR_WAY_MAX = 20_000;
  private static final int FILL_BATCH = 1_000;
  private static final int ACKED_PER_SECOND_MAX = 150_000;

  private final Report report;
  private final Set<String> only;
  private final @Nullable Path directory;
  private final Durability durability;
  private final int seconds;

  /**
   * @param only the figures to measure; empty for all
   * @param directory where to write; null for the usual place
   * @throws IllegalArgumentException if a figure does not exist
   */
  public ClientRun(
      Report report,
      Set<String> only,
      @Nullable Path directory,
      Durability durability,
      int seconds) {
    Report.expectKnown(only, names());
    this.report = report;
    this.only = Set.copyOf(only);
    this.directory = directory;
    this.durability = durability;
    this.seconds = seconds;
  }

  /** The names of all figures, in the order of the report. */
  public static List<String> names() {
    List<String> names = new ArrayList<>(List.of(RAW, FLOW, RAW + SATURATED, FLOW + SATURATED));
    ACK_BATCHES.forEach(size -> names.add(ACKS + size));
    names.add(TASKS);
    return names;
  }

  private boolean wanted(String name) {
    return only.isEmpty() || only.contains(name);
  }

  /** Measures and reports. */
  public void run() throws IOException, InterruptedException {
    try (BenchDirectory bench = BenchDirectory.in(directory);
        ServerProcess server =
            ServerProcess.start(
                ServerProcess.jvm(),
                bench.path().resolve("server"),
                bench.path().resolve("server.log"),
                durability)) {
      report.progress(
          "in %s, %d s each, durability %s"
              .formatted(bench.path(), seconds, durability.name().toLowerCase(Locale.ROOT)));
      String address = "http://127.0.0.1:" + server.port();
      flows(address, "", 1);
      flows(address, SATURATED, SATURATING);
      for (int size : ACK_BATCHES) {
        if (wanted(ACKS + size)) {
          acks(address, size);
        }
      }
      if (wanted(TASKS)) {
        new TaskLoad(address, seconds).run(report, durabilityName());
      }
    }
    report.finish();
  }

  private String durabilityName() {
    return durability.name().toLowerCase(Locale.ROOT);
  }

  private Figure figure(String name, double rate, String unit) {
    report.progress(String.format(Locale.ROOT, "%-26s %,14.0f %s", name, rate, unit));
    return Figure.of(name, rate, unit).durability(durabilityName());
  }

  /** What the client makes of so many threads at each end, beside threads that only send. */
  private void flows(String address, String suffix, int threads) throws InterruptedException {
    String rawName = RAW + suffix;
    String name = FLOW + suffix;
    if (!wanted(rawName) && !wanted(name)) {
      return;
    }
    double raw;
    try (RemoteBroker remote = RemoteBroker.at(address)) {
      Supplier<Session> sessions = () -> new BrokerSession(remote);
      new FlowLoad("warm-up" + suffix, threads, threads, BATCH)
          .run(new Target(sessions, true, 0, WARM_UP_MS));
      Target target = new Target(sessions, true, seconds * 500L, seconds * 1000L);
      raw = new FlowLoad(rawName, threads, threads, BATCH).run(target).rate();
    }
    report.add(
        figure(rawName, raw, "messages/s")
            .note(
                "producers and consumers that only send, each request after the other: "
                    + threads
                    + " and "
                    + threads));
    if (wanted(name)) {
      double rate = flow(address, name, threads);
      report.add(
          figure(name, rate, "messages/s")
              .ratio(rate / raw)
              .note(
                  "buffers of 100: "
                      + threads
                      + ", a consumer of 100, acked after the handler, threads: "
                      + threads));
      report.add(Aim.atLeast(name + " / " + rawName, rate / raw, 0.8));
    }
  }

  private double flow(String address, String queue, int threads) throws InterruptedException {
    Flow flow = new Flow(threads);
    try (Holdfast holdfast = Holdfast.connect(address);
        Consumer consumer =
            holdfast.queue(queue).batch(BATCH).concurrency(threads).consume(flow::handle)) {
      List<Thread> producers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int source = i;
        producers.add(Thread.ofPlatform().start(() -> flow.produce(holdfast.queue(queue), source)));
      }
      double rate = rate(flow.handled);
      flow.producing = false;
      for (Thread producer : producers) {
        producer.join();
      }
      long pushed = 0;
      for (long part : flow.pushed) {
        pushed += part;
      }
      await("messages handled", flow.handled, pushed);
      for (int i = 0; i < threads; i++) {
        flow.deliveries.verify(i, flow.pushed[i]);
      }
      consumer.stop(Duration.ofSeconds(10));
      CheckFailedException.expectEqual("messages acked", pushed, consumer.counts().acked());
      return rate;
    }
  }

  /** Messages on their way from buffers to one consumer, at most so many. */
  private static final class Flow {
    final Semaphore onTheirWay = new Semaphore(ON_THEIR_WAY_MAX);
    final AtomicLong handled = new AtomicLong();
    final Deliveries deliveries;
    final long[] pushed;
    volatile boolean producing = true;

    Flow(int sources) {
      this.deliveries = new Deliveries(sources, true);
      this.pushed = new long[sources];
    }

    void handle(List<HeldMessage> messages) {
      for (HeldMessage message : messages) {
        String text = message.text();
        String plain = text.substring(1, text.length() - 1);
        deliveries.note(TextPayload.source(plain), TextPayload.seq(plain));
      }
      handled.addAndGet(messages.size());
      onTheirWay.release(messages.size());
    }

    void produce(NamedQueue queue, int source) {
      CompletableFuture<?> last = CompletableFuture.completedFuture(null);
      try (PushBuffer buffer = queue.partition("p" + source).buffer(BATCH, Duration.ofMillis(5))) {
        while (producing) {
          if (onTheirWay.tryAcquire(100, TimeUnit.MILLISECONDS)) {
            last = buffer.push(Outgoing.bytes(TextPayload.of(source, pushed[source]++)));
          }
        }
        buffer.flush();
        last.join();
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private double rate(AtomicLong count) throws InterruptedException {
    Thread.sleep(seconds * 500L);
    long before = count.get();
    long start = System.nanoTime();
    Thread.sleep(seconds * 1000L);
    return (count.get() - before) * 1e9 / (System.nanoTime() - start);
  }

  private static void await(String what, AtomicLong count, long wanted)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (count.get() < wanted && System.nanoTime() - deadline < 0) {
      Thread.sleep(5);
    }
    CheckFailedException.expectEqual(what, wanted, count.get());
  }

  private void acks(String address, int size) throws InterruptedException {
    String name = ACKS + size;
    long backlog = (long) ACKED_PER_SECOND_MAX * 2 * seconds * size / BATCH;
    AtomicLong handled = new AtomicLong();
    try (RemoteBroker remote = RemoteBroker.at(address)) {
      BrokerSession session = new BrokerSession(remote);
      for (long filled = 0; filled < backlog; filled += FILL_BATCH) {
        session.push(name, NewMessage.DEFAULT_PARTITION, PushLoad.payloads(0, filled, FILL_BATCH));
      }
      double rate;
      try (AckClient client = AckClient.on(remote)) {
        client.setAutoAck(true).setAckBatchSize(size);
        client.subscribeAsync(message -> handled.incrementAndGet(), "queue://" + name);
        rate = rate(handled);
        client.unsubscribeAll();
      }
      Counts counts = remote.queue(name).orThrow().counts();
      long left = counts.waiting() + counts.returned() + counts.inFlight();
      CheckFailedException.expectEqual(
          "messages of " + name + " that were not handled", roundUp(backlog) - handled.get(), left);
      report.add(
          figure(name, rate, "messages/s")
              .note("one subscription with auto-ack, batches of " + size));
    }
  }

  private static long roundUp(long backlog) {
    return (backlog + FILL_BATCH - 1) / FILL_BATCH * FILL_BATCH;
  }
}
