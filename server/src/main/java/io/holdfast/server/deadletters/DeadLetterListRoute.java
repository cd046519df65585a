package io.holdfast.server.deadletters;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.json.Field;
import io.holdfast.json.Fields;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Schema;
import io.holdfast.json.Values;
import io.holdfast.json.objects.DeadLetterJson;
import io.holdfast.json.objects.MessageJson;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Outlet;
import io.holdfast.server.http.Pages;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.TimeRange;
import io.holdfast.server.messages.Cursor;
import io.holdfast.server.messages.MessageListRoute;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists and exports dead letters: of one queue, or of all. */
public final class DeadLetterListRoute {
  static final String TOPIC = "Dead letters";

  /** Most queues with dead letters that one list goes through. */
  static final int QUEUES_MAX = 1_000;

  /** Most pages of the broker, beyond one for each queue, that an offset may take. */
  private static final int SKIPS_MAX = QUEUES_MAX + 50;

  static final Field<String> QUEUE = Field.text("queue", "Only those of this queue.");
  static final Field<String> GROUP = Field.text("consumerGroup", "Only those of this group.");
  private static final Field<String> PARTITION =
      Field.text("partition", "Only those of this partition.");
  private static final Field<UUID> MESSAGE =
      Field.optional("messageId", Json.ID, "Only those of this message.");
  private static final Field<String> ERROR =
      Field.text("error", "Only those whose error has this text in it.");
  private static final Field<Long> FROM = Field.time("from", "Only those that died at or after.");
  private static final Field<Long> TO =
      Field.optional(
          "to",
          Json.TIME_END,
          "Only those that died up to then; of a date, to the end of that day.");
  private static final Field<Long> OFFSET =
      Field.number(
          "offset", 0, 0, MessageListRoute.OFFSET_MAX, "Dead letters to skip; after is cheaper.");

  /** The parameters that choose dead letters of a queue. */
  static final Fields OF_QUEUE = Fields.of(GROUP, PARTITION, MESSAGE, ERROR, FROM, TO);

  private static final Fields FILTER = OF_QUEUE.after(QUEUE);

  /** A page being gathered from one queue after another. */
  private static final class Gathering {
    private final List<DeadLetter> rows = new ArrayList<>();
    private final int most;
    private final long offset;
    private long skip;
    private int skipsLeft = SKIPS_MAX;
    private long bytes;
    private long total;
    private @Nullable Cursor next;

    Gathering(int most, long skip) {
      this.most = most;
      this.offset = skip;
      this.skip = skip;
    }

    /** How many more it takes; a page of large ones is short. */
    int room() {
      return bytes >= MessageJson.PAYLOAD_BYTES_MAX ? 0 : most - rows.size();
    }

    /** Large ones come in short pages, each of which is a walk over all of the queue's. */
    void skip(int count) {
      skip -= count;
      if (skip > 0 && --skipsLeft == 0) {
        throw Problem.field("offset", "expected fewer dead letters to skip; use after");
      }
    }

    void add(List<DeadLetter> more) {
      rows.addAll(more);
      more.forEach(dead -> bytes += dead.message().payload().length);
    }
  }

  private static final JsonObject<Gathering> PAGING =
      JsonObject.of(Gathering.class)
          .whole("limit", page -> page.most, "As asked.")
          .whole("offset", page -> page.offset, "As asked.");

  private static final JsonType<Gathering> ANSWER =
      JsonObject.of(Gathering.class)
          .list("messages", DeadLetterJson.TYPE, page -> page.rows, "The dead letters.")
          .whole("total", page -> page.total, "How many match, on all pages.")
          .include(PAGING, page -> page)
          .field("pagination", PAGING.type(), page -> page, "limit and offset again.")
          .textOrNull(
              "next", page -> Cursor.text(page.next), "Where the next page begins, or null.")
          .type();

  private static final String LINES = "application/x-ndjson";
  private static final byte[] NEWLINE = {'\n'};

  private DeadLetterListRoute() {}

  public static List<Route> routes() {
    return Route.about(
        TOPIC,
        Route.get("/api/v1/dlq")
            .summary("List dead letters by queue, the oldest death first")
            .query(FILTER.and(Paging.LIMIT, OFFSET, Paging.AFTER))
            .answers(
                "a page; of large messages it may be short although there is a next",
                ANSWER,
                DeadLetterListRoute::list));
  }

  private static Gathering list(Call call) {
    Values query = call.query();
    Cursor cursor = Cursor.of(query, OFFSET);
    Gathering gathering = new Gathering(query.get(Paging.LIMIT).intValue(), query.get(OFFSET));
    String only = query.find(QUEUE);
    Broker broker = call.broker();
    for (String queue : only == null ? queues(broker) : List.of(only)) {
      gather(broker, gathering, filter(query, queue), cursor, only != null);
    }
    return gathering;
  }

  /** Takes from a queue what the page still wants, and counts all that matches. */
  private static void gather(
      Broker broker,
      Gathering page,
      DeadLetterFilter filter,
      @Nullable Cursor cursor,
      boolean named) {
    String queue = filter.queue();
    boolean behind = cursor != null && queue.compareTo(cursor.queue()) < 0;
    String after = cursor != null && queue.equals(cursor.queue()) ? cursor.after() : null;
    boolean counted = false;
    do {
      int room = behind ? 0 : page.room();
      long wanted = page.skip > 0 && !behind ? Math.min(page.skip, Limits.PAGE_MAX) : room;
      DeadLettersRequest request = new DeadLettersRequest(filter, after, (int) Math.max(1, wanted));
      Result<DeadLetters> answer = broker.deadLetters(request);
      if (!named && isDeleted(answer)) {
        return;
      }
      DeadLetters found = Refusals.orThrow(answer);
      page.total += counted ? 0 : found.total();
      counted = true;
      if (behind) {
        return;
      }
      if (page.skip > 0) {
        page.skip(found.items().size());
      } else if (room > 0) {
        page.add(found.items());
      } else {
        if (page.next == null && !found.items().isEmpty()) {
          page.next = new Cursor(queue, after);
        }
        return;
      }
      after = found.next();
    } while (after != null);
  }

  private static List<String> queues(Broker broker) {
    List<String> queues = queues(broker, QUEUES_MAX + 1);
    if (queues.size() > QUEUES_MAX) {
      throw Problem.field(
          "queue",
          "expected a queue, because more than " + QUEUES_MAX + " queues have dead letters");
    }
    return queues;
  }

  /** The queues that have dead letters, at most so many. */
  static List<String> queues(Broker broker, int most) {
    return Pages.queues(broker)
        .filter(queue -> queue.counts().dead() > 0)
        .map(QueueInfo::name)
        .limit(most)
        .toList();
  }

  /** The dead letters of a queue that a query or a body asks for. */
  static DeadLetterFilter filter(Values in, String queue) {
    TimeRange range = TimeRange.of(in, FROM, TO);
    return new DeadLetterFilter(
        queue,
        in.find(GROUP),
        in.find(PARTITION),
        in.find(MESSAGE),
        in.find(ERROR),
        range.fromMs(),
        range.toMs());
  }

  /** The route that exports them. */
  public static List<Route> export() {
    return Route.about(
        TOPIC,
        Route.get("/api/v1/dlq/export")
            .summary("Take a copy of dead letters, one a line, by queue, the oldest death first")
            .audited("export-dead-letters")
            .query(FILTER)
            .doing(DeadLetterListRoute::export)
            .answers(
                200,
                "all that match; each line is an object like those of /api/v1/dlq. If the connection"
                    + " ends before the body does, some are missing",
                Schema.document(LINES)));
  }

  private static Answer export(Call call) {
    Broker broker = call.broker();
    String only = call.query().find(QUEUE);
    if (only != null) {
      Refusals.orThrow(broker.queue(only));
    }
    List<DeadLetterFilter> filters = new ArrayList<>();
    for (String queue : only == null ? queues(broker, Integer.MAX_VALUE) : List.of(only)) {
      filters.add(filter(call.query(), queue));
    }
    return Answer.streaming(LINES, out -> filters.forEach(filter -> write(broker, out, filter)))
        .header("Content-Disposition", "attachment; filename=\"dead-letters.ndjson\"");
  }

  private static void write(Broker broker, Outlet out, DeadLetterFilter filter) {
    String after = null;
    do {
      Result<DeadLetters> answer =
          broker.deadLetters(new DeadLettersRequest(filter, after, Limits.PAGE_MAX).uncounted());
      if (isDeleted(answer)) {
        return;
      }
      DeadLetters page = Refusals.orThrow(answer);
      for (DeadLetter dead : page.items()) {
        out.write(DeadLetterJson.TYPE.bytes(dead));
        out.write(NEWLINE);
      }
      after = page.next();
    } while (after != null);
  }

  /** Whether the queue was deleted since the queues were listed. */
  private static boolean isDeleted(Result<?> answer) {
    return !answer.isOk() && answer.refusal().code() == ErrorCode.NOT_FOUND;
  }
}
