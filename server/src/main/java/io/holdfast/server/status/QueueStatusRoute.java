package io.holdfast.server.status;

import io.holdfast.api.Limits;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists queues by whatever one wants to find: a part of the name, the fullest, the slowest. */
public final class QueueStatusRoute {
  private static final int OFFSET_MAX = 1_000_000;

  private static final Map<String, Comparator<QueueRow>> ORDERS =
      Map.of(
          "name", Comparator.comparing(QueueRow::name),
          "waiting",
              Comparator.comparingLong(row -> row.counts().waiting() + row.counts().returned()),
          "inFlight", Comparator.comparingLong(row -> row.counts().inFlight()),
          "dead", Comparator.comparingLong(row -> row.counts().dead()),
          "oldest", Comparator.comparingLong(row -> row.load().oldestMs()),
          "lag", Comparator.comparingLong(row -> row.load().lag()),
          "push", Comparator.comparingDouble(row -> row.rates().push()),
          "pop", Comparator.comparingDouble(row -> row.rates().pop()),
          "ack", Comparator.comparingDouble(row -> row.rates().ack()));

  private static final Param SEARCH =
      Param.text("search", "Only queues whose name has this in it, in whatever case.");
  private static final Param NAMESPACE = Param.text("namespace", "Only queues of this namespace.");
  private static final Param TASK = Param.text("task", "Only queues of this task.");
  private static final Param STATE =
      Param.word(
          "state",
          null,
          "Only queues that are paused, have dead letters, or have a message that is waiting for"
              + " more than 5 minutes.",
          "paused",
          "dead",
          "lagging");
  private static final Param SORT =
      Param.word(
          "sort",
          "name",
          "What they are sorted by.",
          "name",
          "waiting",
          "inFlight",
          "dead",
          "oldest",
          "push",
          "pop",
          "ack",
          "lag");
  private static final Param ORDER =
      Param.word("order", null, "asc for names, else desc.", "asc", "desc");
  private static final Param LIMIT =
      Param.number("limit", 50, 1, Limits.PAGE_MAX, "Most queues of the page.");
  private static final Param OFFSET = Param.number("offset", 0, 0, OFFSET_MAX, "Queues to skip.");

  private final Sampler sampler;
  private final Supplier<Sight> sight;

  /**
   * @param sight what whoever asks may see, while a route acts
   */
  public QueueStatusRoute(Sampler sampler, Supplier<Sight> sight) {
    this.sampler = sampler;
    this.sight = sight;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/status/queues",
                Access.READ,
                LiveRoute.TOPIC,
                "List queues with what goes through them, sorted over all there are",
                this::list)
            .query(SEARCH, NAMESPACE, TASK, STATE, SORT, ORDER, LIMIT, OFFSET)
            .answers(
                200,
                "a page of queues, at most half a second old",
                Shape.fields(
                    Shape.required("queues", Shape.array(QueueRowJson.SHAPE), "The queues."),
                    Shape.required("total", Shape.WHOLE, "How many match, on all pages."),
                    Shape.required("time", Shape.WHOLE, "When, in epoch milliseconds."),
                    Shape.required("pagination", Shape.OBJECT, "limit and offset as asked."))));
  }

  private Answer list(Call call) {
    Query query = call.query();
    Sample sample = sampler.now();
    List<QueueRow> found = matching(sample.rows(sight.get()), query);
    long limit = query.number(LIMIT);
    long offset = query.number(OFFSET);
    JsonOut out = new JsonOut(8 * 1024).beginObject().beginArray("queues");
    found.stream()
        .sorted(order(query))
        .skip(offset)
        .limit(limit)
        .forEach(row -> QueueRowJson.write(out.beginObject(), row).endObject());
    out.endArray()
        .put("total", found.size())
        .put("time", sample.timeMs())
        .beginObject("pagination")
        .put("limit", limit)
        .put("offset", offset)
        .endObject();
    return Answer.ok(out.endObject());
  }

  private static List<QueueRow> matching(List<QueueRow> rows, Query query) {
    String search = query.text(SEARCH);
    String part = search == null ? null : search.toLowerCase(Locale.ROOT);
    String namespace = query.text(NAMESPACE);
    String task = query.text(TASK);
    String state = query.word(STATE);
    Stream<QueueRow> found = rows.stream();
    if (part != null) {
      found = found.filter(row -> row.name().toLowerCase(Locale.ROOT).contains(part));
    }
    if (state != null) {
      found = found.filter(row -> isIn(row, state));
    }
    return found
        .filter(row -> has(row, QueueOption.NAMESPACE, namespace))
        .filter(row -> has(row, QueueOption.TASK, task))
        .toList();
  }

  private static boolean has(QueueRow row, QueueOption option, @Nullable String wanted) {
    return wanted == null || row.info().options().text(option).equals(wanted);
  }

  private static boolean isIn(QueueRow row, String state) {
    return switch (state) {
      case "paused" -> row.info().paused();
      case "dead" -> row.counts().dead() > 0;
      default -> row.isLagging();
    };
  }

  private static Comparator<QueueRow> order(Query query) {
    String sort = Objects.requireNonNullElse(query.word(SORT), "name");
    Comparator<QueueRow> order = Objects.requireNonNull(ORDERS.get(sort), "the word was checked");
    String direction =
        Objects.requireNonNullElse(query.word(ORDER), sort.equals("name") ? "asc" : "desc");
    // Rows that are alike stay where they are from one look to the next.
    return (direction.equals("asc") ? order : order.reversed()).thenComparing(QueueRow::name);
  }
}
