package io.holdfast.server.traces;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.server.access.Caller;
import io.holdfast.server.access.Grant;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Pagination;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Takes notes about messages, and finds them by message or by name. */
public final class TraceRoutes {
  private static final Field<Long> LIMIT =
      Field.number("limit", 100, 1, Limits.PAGE_MAX, "Most rows of the page.");
  private static final Field<Long> OFFSET =
      Field.number("offset", 0, 0, Traces.TRACES_MAX, "Rows to skip.");

  /** An answer ends once what it repeats of notes and messages is this large. */
  private static final long PAGE_BYTES_MAX = 4 << 20;

  private static final JsonType<UUID> ADDED =
      JsonObject.of(UUID.class)
          .flag("success", id -> true, "true.")
          .id("traceId", id -> id, "The note.")
          .type();

  /** A note with what it says. */
  private record Note(Trace trace, byte[] data) {}

  private static final JsonObject<Note> NOTE =
      JsonObject.of(Note.class)
          .id("id", note -> note.trace().id(), "The note.")
          .text("event_type", note -> note.trace().eventType(), "Its kind.")
          .bytes("data", Note::data, "What it says.")
          .textOrNull("consumer_group", note -> note.trace().group(), "Who made it, or null.")
          .nothing("worker_id", "Always null.")
          .time("created_at", note -> note.trace().createdMs(), "When it was made.")
          .list("trace_names", Json.TEXT, note -> note.trace().names(), "Its names.");

  private static final JsonType<Collection<Note>> NOTES =
      new JsonObject<Collection<Note>>()
          .list("traces", NOTE.type(), notes -> notes, "The notes.")
          .type();

  /** A note with the payload of its message. */
  private record NamedNote(Note note, byte[] payload) {
    Trace trace() {
      return note.trace();
    }
  }

  private static final JsonType<Rows<NamedNote>> NAMED_NOTES =
      rows(
          "traces",
          JsonObject.of(NamedNote.class)
              .include(NOTE, NamedNote::note)
              .text("transaction_id", named -> named.trace().transactionId(), "Its message.")
              .text(
                  "partition_id",
                  named -> PartitionIds.text(named.trace().partitionId()),
                  "The partition of the message.")
              .queue("queue_name", named -> named.trace().queue(), "The queue of the message.")
              .text("partition_name", named -> named.trace().partition(), "The partition by name.")
              .bytes(
                  "message_payload",
                  NamedNote::payload,
                  "The payload of the message; null if it is gone.")
              .type());

  private static final JsonType<Rows<Map.Entry<String, Use>>> NAMES =
      rows(
          "trace_names",
          new JsonObject<Map.Entry<String, Use>>()
              .text("trace_name", Map.Entry::getKey, "The name.")
              .whole("trace_count", use -> use.getValue().traces, "The number of its notes.")
              .whole(
                  "message_count",
                  use -> use.getValue().messages.size(),
                  "The number of messages that they are about.")
              .time("last_seen", use -> use.getValue().lastMs, "When it was last used.")
              .type());

  /** A page of rows, and the number of all. */
  private record Rows<T>(List<T> rows, int total, Pagination page) {}

  private final Traces traces;
  private final TimeSource time;

  /**
   * @param open keeps the notes of all
   */
  public TraceRoutes(Broker open, TimeSource time) {
    this.traces = new Traces(open);
    this.time = time;
  }

  public List<Route> routes() {
    return Route.about(
        "Traces",
        Route.post("/api/v1/traces", Access.CONSUME)
            .summary("Note something about a message")
            .traffic()
            .body(TraceItem.TYPE)
            .doing(this::add)
            .answers(
                201,
                "it is kept; the newest "
                    + Traces.OF_QUEUE_MAX
                    + " of a queue are, and "
                    + Traces.TRACES_MAX
                    + " in all. None are about messages of encrypted queues: 409",
                ADDED),
        Route.get("/api/v1/traces/{partitionId}/{transactionId}")
            .summary("List the notes about a message")
            .answers(
                "the oldest first; of more than 4 MiB only the newest", NOTES, this::ofMessage),
        Route.get("/api/v1/traces/by-name/{name}")
            .summary("List the notes of a name, the newest first")
            .query(LIMIT, OFFSET)
            .answers(
                "a page; of large messages it may have fewer than limit: go on behind those",
                NAMED_NOTES,
                this::ofName),
        Route.get("/api/v1/traces/names")
            .summary("List the names of notes, those used last first")
            .query(LIMIT, OFFSET)
            .answers("a page", NAMES, this::names));
  }

  private static <T> JsonType<Rows<T>> rows(String name, JsonType<T> row) {
    return new JsonObject<Rows<T>>()
        .list(name, row, Rows::rows, "The rows.")
        .whole("total", Rows::total, "The number of rows on all pages.")
        .field("pagination", Pagination.TYPE, Rows::page, "limit and offset as asked.")
        .type();
  }

  private Answer add(Call call) {
    TraceItem item = call.json(TraceItem.TYPE);
    Message message =
        call.ask(
                Broker::message,
                new MessageRef.InPartition(item.partitionId(), item.transactionId()))
            .message();
    checkClear(call.broker(), message);
    Trace asked =
        new Trace(
            UUID.randomUUID(),
            time.wallMs(),
            message.queue(),
            message.partition(),
            item.partitionId(),
            item.transactionId(),
            item.group(),
            item.eventType(),
            item.names());
    Trace trace = traces.add(asked, item.data());
    return Answer.json(201, ADDED, trace.id());
  }

  /** Notes are stored as they are, and often repeat what a message says. */
  private static void checkClear(Broker broker, Message message) {
    if (message.seal() != null
        || Refusals.orThrow(broker.queue(message.queue())).options().flag(QueueOption.ENCRYPTION)) {
      throw Problem.of(
          409,
          ErrorCode.WRONG_STATE.name(),
          "the messages of "
              + message.queue()
              + " are encrypted, and notes are not: none are kept about them");
    }
  }

  private List<Trace> visible() {
    Grant caller = Caller.currentGrant();
    return traces.all().stream().filter(trace -> caller.covers(trace.queue())).toList();
  }

  private Deque<Note> ofMessage(Call call) {
    long partition = PartitionIds.number(call.part("partitionId"));
    String name = call.part("transactionId");
    Deque<Note> found = new ArrayDeque<>();
    long bytes = 0;
    for (Trace trace : visible().reversed()) {
      if (bytes < PAGE_BYTES_MAX && trace.isAbout(partition, name)) {
        byte[] data = traces.data(trace);
        bytes += data.length;
        found.addFirst(new Note(trace, data));
      }
    }
    return found;
  }

  private Rows<NamedNote> ofName(Call call) {
    String name = call.part("name");
    List<Trace> found =
        visible().reversed().stream().filter(trace -> trace.names().contains(name)).toList();
    Pagination page = pagination(call);
    List<NamedNote> notes = new ArrayList<>();
    long bytes = 0;
    for (Trace trace : page.of(found.stream())) {
      if (bytes >= PAGE_BYTES_MAX) {
        break;
      }
      NamedNote note =
          new NamedNote(new Note(trace, traces.data(trace)), payload(call.broker(), trace));
      bytes += note.note().data().length + note.payload().length;
      notes.add(note);
    }
    return new Rows<>(notes, found.size(), page);
  }

  /** Of the message, which may be gone: null in JSON. */
  private static byte[] payload(Broker broker, Trace trace) {
    Result<MessageDetail> found =
        broker.message(new MessageRef.InPartition(trace.partitionId(), trace.transactionId()));
    return found.isOk() ? found.orThrow().message().payload() : Traces.NOTHING.clone();
  }

  /** How often a name was used, for how many messages, and when last. */
  private static final class Use {
    private int traces;
    private final Set<String> messages = new HashSet<>();
    private long lastMs;

    private void add(Trace trace) {
      traces++;
      messages.add(trace.partitionId() + " " + trace.transactionId());
      lastMs = trace.createdMs();
    }
  }

  private Rows<Map.Entry<String, Use>> names(Call call) {
    Map<String, Use> uses = new LinkedHashMap<>();
    for (Trace trace : visible()) {
      trace.names().forEach(name -> uses.computeIfAbsent(name, any -> new Use()).add(trace));
    }
    Pagination page = pagination(call);
    List<Map.Entry<String, Use>> rows =
        page.of(
            uses.entrySet().stream()
                .sorted(
                    Comparator.comparingLong((Map.Entry<String, Use> use) -> use.getValue().lastMs)
                        .reversed()
                        .thenComparing(Map.Entry::getKey)));
    return new Rows<>(rows, uses.size(), page);
  }

  private static Pagination pagination(Call call) {
    return new Pagination(call.query().get(LIMIT), call.query().get(OFFSET));
  }
}
