package io.holdfast.bench.http;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.bench.Aim;
import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.ChildJvm;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Latencies;
import io.holdfast.bench.Report;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * One run of {@code bench http}: a server in a JVM of its own and an embedded broker in this one,
 * both given the same work in turns.
 */
public final class HttpRun {
  /** What is asked with JSON. */
  private static final String JSON = "http-";

  /** The same in the compact form. */
  private static final String COMPACT = "compact-";

  private static final String PUSH = "push-batch100";
  private static final String FLOW = "flow-batch100";
  private static final String LATENCY = "latency-2000";
  private static final String WAKE_UP = "wakeup";
  private static final String RSS = "rssMb";
  private static final String STARTUP = "startupMs";
  private static final String FIRST = "first-seconds";
  private static final String MEMORY = "memory";
  private static final String LATENCY_QUEUE = "http-latency";
  private static final int LATENCY_CONSUMERS = 4;
  private static final int LATENCY_PER_SECOND = 2_000;
  private static final int STARTS = 3;
  private static final long REST_MS = 1_000;
  private static final long WARM_UP_MS_MAX = 2_000;

  /** Figures of servers of their own. */
  private static final Set<String> ALONE = Set.of(STARTUP, JSON + FIRST, MEMORY);

  /** Work that is done with JSON, in the compact form, and embedded; each has its own queue. */
  private static final Map<String, Function<String, Workload>> WORKLOADS = workloads();

  private static Map<String, Function<String, Workload>> workloads() {
    Map<String, Function<String, Workload>> all = new LinkedHashMap<>();
    all.put(PUSH, name -> new PushLoad(name, 8, 100));
    all.put("pop-ack-batch100", name -> new DrainLoad(name, 8, 100));
    all.put(FLOW, name -> new FlowLoad(name, 4, 4, 100));
    all.put("push-single-1", name -> new PushLoad(name, 1, 1));
    all.put("push-single-16", name -> new PushLoad(name, 16, 1));
    all.put("push-single-64", name -> new PushLoad(name, 64, 1));
    return all;
  }

  private final Report report;
  private final Set<String> only;
  private final HttpPlan plan;

  /** What each queue was given, and what of it must be left. */
  private final Map<String, Workload.Outcome> overHttp = new LinkedHashMap<>();

  private final Map<String, Workload.Outcome> embedded = new LinkedHashMap<>();

  /**
   * @param only the figures to measure; empty for all
   * @throws IllegalArgumentException if one of them does not exist
   */
  public HttpRun(Report report, Set<String> only, HttpPlan plan) {
    Report.expectKnown(only, names());
    this.report = report;
    this.only = Set.copyOf(only);
    this.plan = plan;
  }

  /** The names of all figures, in the order of the report. */
  public static List<String> names() {
    List<String> names = new ArrayList<>();
    for (String what : WORKLOADS.keySet()) {
      names.addAll(List.of(JSON + what, COMPACT + what));
    }
    for (String what : List.of(LATENCY, WAKE_UP)) {
      names.addAll(List.of(JSON + what, COMPACT + what));
    }
    names.addAll(List.of(RSS, STARTUP, JSON + FIRST, MEMORY));
    return names;
  }

  private boolean wanted(String name) {
    return only.isEmpty() || only.contains(name);
  }

  /** Measures and reports. */
  public void run() throws IOException, InterruptedException {
    try (BenchDirectory directory = BenchDirectory.in(plan.directory())) {
      Path root = directory.path();
      report.progress(
          "in %s, %d s each, durability %s, client %s"
              .formatted(root, plan.seconds(), plan.durabilityName(), plan.client())
              .toLowerCase(Locale.ROOT));
      if (only.isEmpty() || !ALONE.containsAll(only)) {
        serve(root);
        check(root.resolve("server"), overHttp);
        check(root.resolve("embedded"), embedded);
      }
      if (wanted(STARTUP)) {
        startups(root);
      }
      FirstSeconds.Starter serve =
          () ->
              ServeProcess.start(
                  plan.serve(), Files.createTempDirectory(root, "serve-"), plan.durability());
      if (wanted(JSON + FIRST)) {
        new FirstSeconds(serve, port -> () -> connect(port), plan.measuredMs())
            .measure(report, JSON + FIRST, plan.durabilityName());
      }
      if (wanted(MEMORY)) {
        try (ServeProcess server = serve.start()) {
          new ServerMemory(report, plan).measure(MEMORY, server, () -> connect(server.port()));
        }
      }
    }
    report.finish();
  }

  private void serve(Path root) throws IOException, InterruptedException {
    for (String store : List.of("server", "embedded")) {
      try (EmbeddedBroker broker = open(root.resolve(store))) {
        broker
            .configure(ConfigureRequest.queue(LATENCY_QUEUE).set(QueueOption.DELIVERY, "shared"))
            .orThrow();
      }
    }
    try (ServerProcess server = start(root, root.resolve("server"));
        RemoteBroker remote = RemoteBroker.at("http://127.0.0.1:" + server.port());
        EmbeddedBroker broker = open(root.resolve("embedded"))) {
      int port = server.port();
      Target json = new Target(() -> connect(port), true, plan.warmUpMs(), plan.measuredMs());
      Target compact =
          new Target(() -> new BrokerSession(remote), true, plan.warmUpMs(), plan.measuredMs());
      Target engine =
          new Target(() -> new BrokerSession(broker), false, plan.warmUpMs(), plan.measuredMs());
      pushOne(port, "first");
      Thread.sleep(REST_MS);
      double atRest = server.rssMb();
      warmUp(json, compact, engine);
      compare(json, compact, engine);
      latency(JSON, json);
      latency(COMPACT, compact);
      wakeUps(JSON, json);
      wakeUps(COMPACT, compact);
      if (wanted(RSS)) {
        report.add(
            figure(RSS, server.rssMb(), "MiB")
                .with("atRestMb", atRest)
                .with("afterRunMb", server.rssMb())
                .note("resident memory of the server's JVM"));
      }
    }
  }

  /** Compilers at work would be measured otherwise. */
  private void warmUp(Target json, Target compact, Target engine) throws InterruptedException {
    if (only.equals(Set.of(RSS))) {
      return;
    }
    long ms = Math.min(WARM_UP_MS_MAX, plan.measuredMs());
    int number = 0;
    for (Target target : List.of(json, compact, engine)) {
      new FlowLoad("warm-up-" + number++, 4, 4, 100)
          .run(new Target(target.sessions(), target.overHttp(), 0, ms));
    }
  }

  private void compare(Target json, Target compact, Target engine) throws InterruptedException {
    List<Map.Entry<String, Function<String, Workload>>> all =
        WORKLOADS.entrySet().stream()
            .filter(one -> wanted(JSON + one.getKey()) || wanted(COMPACT + one.getKey()))
            .toList();
    for (Map.Entry<String, Function<String, Workload>> one : all) {
      String what = one.getKey();
      Function<String, Workload> workload = one.getValue();
      Map<String, Workload.Outcome> outcomes = new LinkedHashMap<>();
      if (wanted(JSON + what)) {
        outcomes.put(JSON + what, workload.apply(JSON + what).run(json));
      }
      if (wanted(COMPACT + what)) {
        outcomes.put(COMPACT + what, workload.apply(COMPACT + what).run(compact));
      }
      overHttp.putAll(outcomes);
      Workload.Outcome beside = workload.apply(what).run(engine);
      embedded.put(what, beside);
      outcomes.forEach((name, outcome) -> tell(workload.apply(name), outcome, beside));
    }
  }

  private void tell(Workload workload, Workload.Outcome over, Workload.Outcome beside) {
    double ratio = over.rate() / beside.rate();
    report.progress(
        String.format(
            Locale.ROOT,
            "%-26s %,14.0f messages/s, embedded %,14.0f",
            workload.name(),
            over.rate(),
            beside.rate()));
    report.add(
        figure(workload.name(), over.rate(), "messages/s")
            .ratio(ratio)
            .with("embedded", beside.rate())
            .note(workload.note()));
    if (workload.name().endsWith(PUSH) || workload.name().endsWith(FLOW)) {
      report.add(Aim.atLeast(workload.name() + " / embedded", ratio, 0.4));
    }
  }

  private void latency(String form, Target target) throws InterruptedException {
    if (!wanted(form + LATENCY)) {
      return;
    }
    OpenLoop loop = new OpenLoop(target, LATENCY_QUEUE, LATENCY_CONSUMERS, LATENCY_PER_SECOND);
    double rate = loop.run();
    overHttp.put(LATENCY_QUEUE, new Workload.Outcome(rate, loop.total(), 0));
    Latencies latencies = loop.latencies();
    report.add(
        figure(form + LATENCY, rate, "messages/s")
            .with("p50Ms", latencies.percentileMs(0.5))
            .with("p99Ms", latencies.percentileMs(0.99))
            .with("p999Ms", latencies.percentileMs(0.999))
            .note(loop.note()));
  }

  private void wakeUps(String form, Target target) throws InterruptedException {
    if (!wanted(form + WAKE_UP)) {
      return;
    }
    Latencies latencies = WakeUps.measure(target);
    report.add(
        figure(form + WAKE_UP, latencies.percentileMs(0.5), "ms")
            .with("p50Ms", latencies.percentileMs(0.5))
            .with("p99Ms", latencies.percentileMs(0.99))
            .note("from before a push to the answer of the poll it wakes"));
  }

  private void startups(Path root) throws IOException {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      long begun = System.nanoTime();
      try (ServerProcess server = start(root, root.resolve("start-" + i))) {
        pushOne(server.port(), "first");
        times.add((System.nanoTime() - begun) / 1e6);
      }
    }
    times.sort(null);
    double median = times.get(STARTS / 2);
    report.add(
        figure(STARTUP, median, "ms")
            .note(
                String.format(
                    Locale.ROOT,
                    "process start to first accepted push; median of %.0f to %.0f",
                    times.getFirst(),
                    times.getLast())));
    report.add(Aim.atMost("start to first accepted push, s", median / 1000, 2.0));
  }

  private Figure figure(String name, double rate, String unit) {
    return Figure.of(name, rate, unit).durability(plan.durabilityName());
  }

  private ServerProcess start(Path root, Path data) throws IOException {
    ChildJvm jvm = ServerProcess.jvm();
    plan.serverOptions().forEach(jvm::option);
    return ServerProcess.start(jvm, data, root.resolve("server.log"), plan.durability());
  }

  private EmbeddedBroker open(Path data) {
    return EmbeddedBroker.open(EngineConfig.at(data).durability(plan.durability()));
  }

  private Session connect(int port) {
    try {
      return new HttpSession(plan.client().open(port));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot connect to the server", e);
    }
  }

  private void pushOne(int port, String queue) {
    try (Session session = connect(port)) {
      session.push(queue, NewMessage.DEFAULT_PARTITION, List.of(TextPayload.of(0, 0)));
    }
  }

  /** Compares what was acknowledged with what a broker finds in the data afterwards. */
  private void check(Path data, Map<String, Workload.Outcome> outcomes) {
    try (EmbeddedBroker broker = open(data)) {
      outcomes.forEach(
          (queue, outcome) -> {
            Counts counts = broker.queue(queue).orThrow().counts();
            CheckFailedException.expectEqual(
                "messages of " + queue + " that nobody acked",
                outcome.left(),
                counts.waiting() + counts.returned() + counts.inFlight());
            if (outcome.left() > 0) {
              CheckFailedException.expectEqual(
                  "messages stored by " + queue, outcome.pushed(), counts.stored());
            }
          });
    }
  }
}
