package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists dead letters: of one queue, or of all. */
public final class DeadLetterListRoute {
  static final String TOPIC = "Dead letters";

  /** Most queues with dead letters that one list goes through. */
  static final int QUEUES_MAX = 1_000;

  /** Most pages of the broker, beyond one for each queue, that an offset may take. */
  private static final int SKIPS_MAX = QUEUES_MAX + 50;

  static final Param QUEUE = Param.text("queue", "Only those of this queue.");
  static final Param GROUP = Param.text("consumerGroup", "Only those of this group.");
  static final Param PARTITION = Param.text("partition", "Only those of this partition.");
  static final Param MESSAGE = Param.text("messageId", "Only those of this message.");
  static final Param ERROR = Param.text("error", "Only those whose error has this text in it.");
  static final Param FROM = Param.time("from", "Only those that died at or after.");
  static final Param TO =
      Param.time("to", "Only those that died up to then; of a date, to the end of that day.");
  private static final Param LIMIT =
      Param.number("limit", 100, 1, Limits.PAGE_MAX, "Most dead letters of the page.");
  private static final Param OFFSET =
      Param.number(
          "offset", 0, 0, MessageListRoute.OFFSET_MAX, "Dead letters to skip; after is cheaper.");
  private static final Param AFTER = Param.text("after", "The next of an earlier page.");

  private final Broker broker;

  public DeadLetterListRoute(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/dlq",
                Access.READ,
                TOPIC,
                "List dead letters by queue, the oldest death first",
                this::list)
            .query(QUEUE, GROUP, PARTITION, MESSAGE, ERROR, FROM, TO, LIMIT, OFFSET, AFTER)
            .answers(
                200,
                "a page; of large messages it may be short although there is a next",
                Shape.fields(
                    Shape.required(
                        "messages", Shape.array(DeadLetterJson.SHAPE), "The dead letters."),
                    Shape.required("total", Shape.WHOLE, "How many match, on all pages."),
                    Shape.required("limit", Shape.WHOLE, "As asked."),
                    Shape.required("offset", Shape.WHOLE, "As asked."),
                    Shape.required("pagination", Shape.OBJECT, "limit and offset again."),
                    Shape.required("next", Shape.TEXT, "Where the next page begins, or null."))));
  }

  /** A page being gathered from one queue after another. */
  private static final class Gathering {
    private final List<DeadLetter> rows = new ArrayList<>();
    private final int most;
    private long skip;
    private int skipsLeft = SKIPS_MAX;
    private long bytes;
    private long total;
    private @Nullable Cursor next;

    Gathering(int most, long skip) {
      this.most = most;
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

  private Answer list(Call call) {
    Query query = call.query();
    Cursor cursor = Cursor.parse(query.text(AFTER));
    long offset = query.number(OFFSET);
    if (cursor != null && offset > 0) {
      throw Problem.field("offset", "expected offset or after, not both");
    }
    Gathering gathering = new Gathering((int) query.number(LIMIT), offset);
    String only = query.text(QUEUE);
    for (String queue : only == null ? queues() : List.of(only)) {
      gather(gathering, filter(query, queue), cursor, only != null);
    }
    JsonOut out = new JsonOut().beginObject().beginArray("messages");
    gathering.rows.forEach(dead -> DeadLetterJson.write(out, dead));
    out.endArray()
        .put("total", gathering.total)
        .put("limit", gathering.most)
        .put("offset", offset)
        .beginObject("pagination")
        .put("limit", gathering.most)
        .put("offset", offset)
        .endObject()
        .put("next", gathering.next == null ? null : gathering.next.text());
    return Answer.ok(out.endObject());
  }

  /** Takes from a queue what the page still wants, and counts all that matches. */
  private void gather(
      Gathering page, DeadLetterFilter filter, @Nullable Cursor cursor, boolean named) {
    String queue = filter.queue();
    boolean behind = cursor != null && queue.compareTo(cursor.queue()) < 0;
    String after = cursor != null && queue.equals(cursor.queue()) ? cursor.after() : null;
    boolean counted = false;
    do {
      int room = behind ? 0 : page.room();
      long wanted = page.skip > 0 && !behind ? Math.min(page.skip, Limits.PAGE_MAX) : room;
      DeadLettersRequest request = new DeadLettersRequest(filter, after, (int) Math.max(1, wanted));
      Result<DeadLetters> answer = broker.deadLetters(request);
      if (!named && !answer.isOk() && answer.refusal().code() == ErrorCode.NOT_FOUND) {
        // It was deleted since the queues were listed.
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

  private List<String> queues() {
    List<String> queues = new ArrayList<>();
    new AllQueues(broker)
        .visit(
            null,
            queue -> {
              if (queue.counts().dead() > 0) {
                queues.add(queue.name());
              }
              return queues.size() <= QUEUES_MAX;
            });
    if (queues.size() > QUEUES_MAX) {
      throw Problem.field(
          "queue",
          "expected a queue, because more than " + QUEUES_MAX + " queues have dead letters");
    }
    return queues;
  }

  /** The dead letters of a queue that a query asks for. */
  static DeadLetterFilter filter(Query query, String queue) {
    Span span = Span.of(query, FROM, TO);
    String id = query.text(MESSAGE);
    return new DeadLetterFilter(
        queue,
        query.text(GROUP),
        query.text(PARTITION),
        id == null ? null : id(MESSAGE.name(), id),
        query.text(ERROR),
        span.fromMs(),
        span.toMs());
  }

  static UUID id(String field, String text) {
    UUID id = idOrNull(text);
    if (id == null) {
      throw Problem.field(field, "expected the id of a message, but it is none");
    }
    return id;
  }

  static @Nullable UUID idOrNull(String text) {
    try {
      UUID id = UUID.fromString(text);
      return id.toString().equalsIgnoreCase(text) ? id : null;
    } catch (IllegalArgumentException none) {
      return null;
    }
  }
}
