package io.holdfast.server.status;

import io.holdfast.api.Limits;
import io.holdfast.json.Field;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.access.Caller;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Pagination;
import io.holdfast.server.http.Route;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Lists queues by whatever one wants to find: a part of the name, the fullest, the slowest. */
public final class QueueStatusRoute {
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

  private final Sampler sampler;

  public QueueStatusRoute(Sampler sampler) {
    this.sampler = sampler;
  }

  public List<Route> routes() {
    return Route.about(
        LiveRoute.TOPIC,
        Route.get("/api/v1/status/queues")
            .summary("List queues with what goes through them, sorted over all there are")
            .query(SEARCH, NAMESPACE, TASK, STATE, SORT, ORDER, LIMIT, OFFSET)
            .answers("a page of queues, at most half a second old", PAGE, this::list));
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
}
