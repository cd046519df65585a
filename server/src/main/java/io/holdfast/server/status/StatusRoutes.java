package io.holdfast.server.status;

import io.holdfast.api.Limits;
import io.holdfast.json.Field;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.access.Caller;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Pagination;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.TimeRange;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Lists queues as the newest sample shows them, and shows the last day of one or of all. */
public final class StatusRoutes {
  private static final int OFFSET_MAX = 1_000_000;

  private static final Map<String, Comparator<QueueRow>> ORDERS = new LinkedHashMap<>();

  static {
    ORDERS.put("name", Comparator.comparing(QueueRow::name));
    by("waiting", row -> row.counts().waiting() + row.counts().returned());
    by("inFlight", row -> row.counts().inFlight());
    by("dead", row -> row.counts().dead());
    by("oldest", row -> row.load().oldestMs());
    by("push", row -> row.rates().push());
    by("pop", row -> row.rates().pop());
    by("ack", row -> row.rates().ack());
    by("lag", row -> row.load().lag());
  }

  private static void by(String word, ToDoubleFunction<QueueRow> value) {
    ORDERS.put(word, Comparator.comparingDouble(value));
  }

  private static final Field<String> SEARCH =
      Field.text("search", "Only queues whose name has this in it, in whatever case.");
  private static final Field<String> NAMESPACE =
      Field.text("namespace", "Only queues of this namespace.");
  private static final Field<String> TASK = Field.text("task", "Only queues of this task.");
  private static final Field<String> STATE =
      Field.word(
          "state",
          null,
          "Only queues that are paused, have dead letters, or have a message that is waiting for"
              + " more than 5 minutes.",
          "paused",
          "dead",
          "lagging");
  private static final Field<String> SORT =
      Field.word(
          "sort", "name", "What they are sorted by.", ORDERS.keySet().toArray(String[]::new));
  private static final Field<String> ORDER =
      Field.word("order", null, "asc for names, else desc.", "asc", "desc");
  private static final Field<Long> LIMIT =
      Field.number("limit", 50, 1, Limits.PAGE_MAX, "Most queues of the page.");
  private static final Field<Long> OFFSET =
      Field.number("offset", 0, 0, OFFSET_MAX, "Queues to skip.");

  /**
   * A page of queues.
   *
   * @param total the number of queues on all pages
   */
  private record QueuePage(List<QueueRow> rows, int total, long timeMs, Pagination pagination) {}

  private static final JsonType<QueuePage> PAGE =
      JsonObject.of(QueuePage.class)
          .list("queues", QueueRow.TYPE, QueuePage::rows, "The queues.")
          .whole("total", QueuePage::total, "The number of queues on all pages.")
          .whole("time", QueuePage::timeMs, "The time in epoch milliseconds.")
          .field("pagination", Pagination.TYPE, QueuePage::pagination, "limit and offset as asked.")
          .type();

  private static final long HOUR_MS = 3_600_000;

  private static final Field<String> ONE_QUEUE =
      Field.text("queue", "Of this queue alone; without it, of the whole broker.");
  private static final Field<Long> FROM = Field.time("from", "From then on; an hour before to.");
  private static final Field<Long> TO = Field.time("to", "Up to then; now.");
  private static final Field<Long> POINTS = Field.number("points", 300, 1, 10_000, "Most points.");

  /** A series, or an empty one if none is kept. */
  private record KeptSeries(Series series, boolean kept) {}

  private static final JsonType<KeptSeries> SERIES =
      JsonObject.of(KeptSeries.class)
          .whole("from", kept -> kept.series().fromMs(), "In epoch milliseconds.")
          .whole("to", kept -> kept.series().toMs(), "In epoch milliseconds.")
          .whole("stepMs", kept -> kept.series().stepMs(), "The length of time of a point.")
          .flag(
              "kept",
              KeptSeries::kept,
              "Whether there is a series: only the "
                  + History.QUEUES_MAX
                  + " busiest queues have one, and the broker for callers who may see all queues.")
          .list(
              "points",
              Series.POINT,
              kept -> kept.series().points(),
              "The oldest first; times without a sample have no point.")
          .type();

  private final Sampler sampler;

  public StatusRoutes(Sampler sampler) {
    this.sampler = sampler;
  }

  public List<Route> routes() {
    return Route.about(
        LiveRoute.TOPIC,
        Route.get("/api/v1/status/queues")
            .summary("List queues with what goes through them, sorted over all there are")
            .query(SEARCH, NAMESPACE, TASK, STATE, SORT, ORDER, LIMIT, OFFSET)
            .answers("a page of queues, at most half a second old", PAGE, this::list),
        Route.get("/api/v1/status/series")
            .summary("How it went during the last day: the broker every 10 s, a queue every minute")
            .query(ONE_QUEUE, FROM, TO, POINTS)
            .answers("what was seen; nothing is kept over a restart", SERIES, this::series));
  }

  private QueuePage list(Call call) {
    Values query = call.query();
    Sample sample = sampler.now();
    String search = query.find(SEARCH);
    String part = search == null ? "" : search.toLowerCase(Locale.ROOT);
    List<QueueRow> found =
        sample.rows(Caller.currentGrant().names()).stream()
            .filter(row -> part.isEmpty() || row.name().toLowerCase(Locale.ROOT).contains(part))
            .filter(row -> row.isOf(query.find(NAMESPACE), query.find(TASK)))
            .filter(row -> isIn(row, query.find(STATE)))
            .toList();
    Pagination page = new Pagination(query.get(LIMIT), query.get(OFFSET));
    List<QueueRow> rows = page.of(found.stream().sorted(order(query)));
    return new QueuePage(rows, found.size(), sample.timeMs(), page);
  }

  private static boolean isIn(QueueRow row, @Nullable String state) {
    return switch (state) {
      case null -> true;
      case "paused" -> row.info().paused();
      case "dead" -> row.counts().dead() > 0;
      default -> row.isLagging();
    };
  }

  private static Comparator<QueueRow> order(Values query) {
    String sort = query.get(SORT);
    Comparator<QueueRow> order = Objects.requireNonNull(ORDERS.get(sort), "the word was checked");
    String direction =
        Objects.requireNonNullElse(query.find(ORDER), sort.equals("name") ? "asc" : "desc");
    // Rows that are alike stay where they are from one look to the next.
    return (direction.equals("asc") ? order : order.reversed()).thenComparing(QueueRow::name);
  }

  private KeptSeries series(Call call) {
    Values query = call.query();
    Sample now = sampler.now();
    TimeRange range = TimeRange.endingNow(query, FROM, TO, HOUR_MS, now.timeMs());
    String queue = query.find(ONE_QUEUE);
    Series found = sampler.series(queue, range, query.get(POINTS).intValue());
    if (queue != null && !now.byName().containsKey(queue)) {
      throw Problem.notFound("there is no queue " + queue);
    }
    return new KeptSeries(Series.orEmpty(found, range), found != null);
  }
}
