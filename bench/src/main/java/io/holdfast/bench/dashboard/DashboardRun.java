package io.holdfast.bench.dashboard;

import io.holdfast.bench.Aim;
import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Latencies;
import io.holdfast.bench.Report;
import io.holdfast.bench.http.ServerProcess;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code bench dashboard}: how soon pages have their answers from a broker that holds
 * much and works, and how much it does with pages open and without.
 */
public final class DashboardRun {
  private static final double ANSWER_MS_WANTED = 1_000;
  private static final double RATIO_WANTED = 0.95;
  private static final int CALLS_EACH = 10;
  private static final long WARM_UP_MS = 3_000;

  /** Odd, so that there is a middle one. */
  private static final int ROUNDS = 7;

  private static final List<String> OPEN = List.of("overview", "queues", "queue", "dead", "groups");

  /**
   * How a run is done.
   *
   * @param directory where to write; null for the usual place
   * @param perSecond messages that flow while pages are asked for
   * @param seconds how long each turn with or without pages takes
   */
  public record Plan(
      @Nullable Path directory,
      Durability durability,
      int queues,
      int deadLetters,
      int perSecond,
      int seconds) {
    public Plan {
      expect("queues", queues);
      expect("dead", deadLetters);
      expect("rate", perSecond);
    }

    private static void expect(String name, int value) {
      if (value < 1) {
        throw new IllegalArgumentException(name + ": expected 1 or more, but got " + value);
      }
    }
  }

  private final Report report;
  private final Plan plan;

  public DashboardRun(Report report, Plan plan) {
    this.report = report;
    this.plan = plan;
  }

  /** Measures and reports. */
  public void run() throws IOException, InterruptedException {
    try (BenchDirectory directory = BenchDirectory.in(plan.directory());
        ServerProcess server =
            ServerProcess.start(
                ServerProcess.jvm(),
                directory.path().resolve("data"),
                directory.path().resolve("server.log"),
                plan.durability());
        HttpClient client = HttpClient.newHttpClient();
        RemoteBroker broker = RemoteBroker.at("http://127.0.0.1:" + server.port())) {
      String root = "http://127.0.0.1:" + server.port() + "/api/v1/";
      List<PageCalls> pages = fill(broker);
      pages(client, root, broker, pages);
      compare(client, root, broker, pages);
    }
    report.finish();
  }

  private List<PageCalls> fill(RemoteBroker broker) {
    Filling filling = new Filling(broker);
    filling.queues(plan.queues());
    filling.tasks(plan.queues());
    String dead = filling.deadLetters(plan.deadLetters());
    report.progress(
        "filled with " + plan.queues() + " queues and " + plan.deadLetters() + " dead letters");
    return PageCalls.all(dead);
  }

  private void pages(HttpClient client, String root, RemoteBroker broker, List<PageCalls> pages)
      throws InterruptedException {
    Flow flow = new Flow(broker, plan.perSecond());
    double rate = flow.rate(WARM_UP_MS);
    report.add(Figure.of("dashboard-flow", rate, "msg/s").note("while pages are asked for"));
    for (PageCalls page : pages) {
      tell(client, root, page);
    }
    flow.end();
  }

  private void tell(HttpClient client, String root, PageCalls page) throws InterruptedException {
    double slowest = 0;
    double middle = 0;
    double first = 0;
    for (String path : page.paths()) {
      Latencies times = new Latencies();
      first = Math.max(first, OpenPages.ask(client, root + path) / 1e6);
      for (int i = 0; i < CALLS_EACH; i++) {
        times.add(OpenPages.ask(client, root + path));
      }
      slowest = Math.max(slowest, times.percentileMs(1));
      middle = Math.max(middle, times.percentileMs(0.5));
    }
    double worst = Math.max(first, slowest);
    report.add(
        Figure.of("dashboard-" + page.page(), middle, "ms")
            .with("firstMs", first)
            .with("worstMs", worst)
            .with("calls", page.paths().size())
            .note("the slowest of its calls"));
    report.add(Aim.atMost(page.page() + ": slowest call, worst, ms", worst, ANSWER_MS_WANTED));
  }

  private void compare(HttpClient client, String root, RemoteBroker broker, List<PageCalls> pages)
      throws IOException, InterruptedException {
    List<PageCalls> open = pages.stream().filter(page -> OPEN.contains(page.page())).toList();
    long turnMs = plan.seconds() * 1000L;
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    Flow flow = new Flow(broker, 0);
    flow.rate(WARM_UP_MS);
    for (int round = 0; round < ROUNDS; round++) {
      // Each comes first as often as the other: a broker grows quicker, or a machine busier.
      if (round % 2 == 0) {
        without.add(flow.rate(turnMs));
      }
      OpenPages looked = new OpenPages(client, root, open);
      with.add(flow.rate(turnMs));
      looked.leave();
      if (round % 2 == 1) {
        without.add(flow.rate(turnMs));
      }
    }
    flow.end();
    double ratio = middle(with) / middle(without);
    String durability = plan.durability().name().toLowerCase(Locale.ROOT);
    report.add(
        Figure.of("dashboard-closed", middle(without), "msg/s")
            .durability(durability)
            .note("push, pop and ack, nobody looks"));
    report.add(
        Figure.of("dashboard-open", middle(with), "msg/s")
            .durability(durability)
            .ratio(ratio)
            .note(open.size() + " pages are open"));
    report.add(Aim.atLeast("msg/s with pages open / closed", ratio, RATIO_WANTED));
  }

  private static double middle(List<Double> rates) {
    return rates.stream().sorted().toList().get(rates.size() / 2);
  }
}
