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
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.PartitionIds;
import io.holdfast.server.queen.Refusals;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Takes notes about messages, and finds them by message or by name. */
public final class TraceRoutes {
  private static final String TOPIC = "Traces";
  private static final Param LIMIT =
      Param.number("limit", 100, 1, Limits.PAGE_MAX, "Most rows of the page.");
  private static final Param OFFSET =
      Param.number("offset", 0, 0, Traces.TRACES_MAX, "Rows to skip.");

  /** An answer ends once what it repeats of notes and messages is this large. */
  private static final long PAGE_BYTES_MAX = 4 << 20;

  private final Broker broker;
  private final Traces traces;
  private final TimeSource time;
  private final Supplier<Predicate<String>> visible;

  /**
   * @param open keeps the notes of all
   * @param visible which queues whoever asks may see, while a route acts
   */
  public TraceRoutes(
      Broker broker, Broker open, TimeSource time, Supplier<Predicate<String>> visible) {
    this.broker = broker;
    this.traces = new Traces(open);
    this.time = time;
    this.visible = visible;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/v1/traces",
                Access.CONSUME,
                TOPIC,
                "Note something about a message",
                this::add)
            .traffic()
            .body(TraceItem.SHAPE)
            .answers(
                201,
                "it is kept; the newest "
                    + Traces.OF_QUEUE_MAX
                    + " of a queue are, and "
                    + Traces.TRACES_MAX
                    + " in all. None are about messages of encrypted queues: 409",
                Shape.fields(
                    Shape.required("success", Shape.FLAG, "true."),
                    Shape.required("traceId", Shape.TEXT, "The note."))),
        Route.get(
                "/api/v1/traces/{partitionId}/{transactionId}",
                Access.READ,
                TOPIC,
                "List the notes about a message",
                this::ofMessage)
            .answers(
                200,
                "the oldest first; of more than 4 MiB only the newest",
                Shape.fields(Shape.required("traces", Shape.array(TRACE), "The notes."))),
        Route.get(
                "/api/v1/traces/by-name/{name}",
                Access.READ,
                TOPIC,
                "List the notes of a name, the newest first",
                this::ofName)
            .query(LIMIT, OFFSET)
            .answers(
                200,
                "a page; of large messages it may have fewer than limit: go on behind those",
                paged("traces", NAMED)),
        Route.get(
                "/api/v1/traces/names",
                Access.READ,
                TOPIC,
                "List the names of notes, those used last first",
                this::names)
            .query(LIMIT, OFFSET)
            .answers(200, "a page", paged("trace_names", NAME)));
  }

  private static Shape paged(String name, Shape element) {
    return Shape.fields(
        Shape.required(name, Shape.array(element), "The rows."),
        Shape.required("total", Shape.WHOLE, "How many there are, on all pages."),
        Shape.required("pagination", Shape.OBJECT, "limit and offset as asked."));
  }

  private Answer add(Call call) {
    TraceItem item = call.json(TraceItem::read);
    Message message =
        Refusals.orThrow(
                broker.message(
                    new MessageRef.InPartition(item.partitionId(), item.transactionId())))
            .message();
    checkClear(message);
    Trace wish =
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
    Trace trace = traces.add(wish, item.data());
    return Answer.json(
        201,
        new JsonOut().beginObject().put("success", true).put("traceId", trace.id()).endObject());
  }

  /** Notes are stored as they are, and often repeat what a message says. */
  private void checkClear(Message message) {
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
    Predicate<String> seen = visible.get();
    return traces.all().stream().filter(trace -> seen.test(trace.queue())).toList();
  }

  private Answer ofMessage(Call call) {
    long partition = PartitionIds.number(call.part("partitionId"));
    String name = call.part("transactionId");
    SequencedMap<Trace, byte[]> found = new LinkedHashMap<>();
    long bytes = 0;
    for (Trace trace : visible().reversed()) {
      if (bytes < PAGE_BYTES_MAX && trace.isAbout(partition, name)) {
        byte[] data = traces.data(trace);
        bytes += data.length;
        found.putFirst(trace, data);
      }
    }
    JsonOut out = new JsonOut().beginObject().beginArray("traces");
    found.forEach((trace, data) -> write(out.beginObject(), trace, data).endObject());
    return Answer.ok(out.endArray().endObject());
  }

  private Answer ofName(Call call) {
    String name = call.part("name");
    List<Trace> found =
        visible().reversed().stream().filter(trace -> trace.names().contains(name)).toList();
    JsonOut out = new JsonOut().beginObject().beginArray("traces");
    long bytes = 0;
    for (Trace trace : page(call, found)) {
      if (bytes >= PAGE_BYTES_MAX) {
        break;
      }
      byte[] data = traces.data(trace);
      byte[] payload = payload(trace);
      bytes += data.length + payload.length;
      write(out.beginObject(), trace, data)
          .put("transaction_id", trace.transactionId())
          .put("partition_id", PartitionIds.text(trace.partitionId()))
          .put("queue_name", trace.queue())
          .put("partition_name", trace.partition())
          .putPayload("message_payload", payload)
          .endObject();
    }
    return paged(call, out.endArray(), found.size());
  }

  /** Of the message, which may be gone: null in JSON. */
  private byte[] payload(Trace trace) {
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

  private Answer names(Call call) {
    Map<String, Use> uses = new LinkedHashMap<>();
    for (Trace trace : visible()) {
      trace.names().forEach(name -> uses.computeIfAbsent(name, any -> new Use()).add(trace));
    }
    List<Map.Entry<String, Use>> sorted =
        uses.entrySet().stream()
            .sorted(
                Comparator.comparingLong((Map.Entry<String, Use> entry) -> entry.getValue().lastMs)
                    .reversed()
                    .thenComparing(Map.Entry::getKey))
            .toList();
    JsonOut out = new JsonOut().beginObject().beginArray("trace_names");
    page(call, sorted)
        .forEach(
            entry ->
                out.beginObject()
                    .put("trace_name", entry.getKey())
                    .put("trace_count", entry.getValue().traces)
                    .put("message_count", entry.getValue().messages.size())
                    .putTime("last_seen", entry.getValue().lastMs)
                    .endObject());
    return paged(call, out.endArray(), sorted.size());
  }

  private static <T> List<T> page(Call call, List<T> all) {
    return all.stream()
        .skip(call.query().number(OFFSET))
        .limit(call.query().number(LIMIT))
        .toList();
  }

  private static Answer paged(Call call, JsonOut out, int total) {
    return Answer.ok(
        out.put("total", total)
            .beginObject("pagination")
            .put("limit", call.query().number(LIMIT))
            .put("offset", call.query().number(OFFSET))
            .endObject()
            .endObject());
  }

  private static JsonOut write(JsonOut out, Trace trace, byte[] data) {
    out.put("id", trace.id())
        .put("event_type", trace.eventType())
        .putPayload("data", data)
        .put("consumer_group", trace.group())
        .putNull("worker_id")
        .putTime("created_at", trace.createdMs())
        .beginArray("trace_names");
    trace.names().forEach(out::add);
    return out.endArray();
  }

  private static final Shape TRACE =
      Shape.fields(
          Shape.required("id", Shape.TEXT, "The note."),
          Shape.required("event_type", Shape.TEXT, "What kind it is of."),
          Shape.required("data", Shape.ANY, "What it says."),
          Shape.required("consumer_group", Shape.TEXT, "Who made it, or null."),
          Shape.required("worker_id", Shape.TEXT, "null."),
          Shape.required("created_at", Shape.TIME, "When."),
          Shape.required("trace_names", Shape.array(Shape.TEXT), "Its names."));

  private static final Shape NAMED =
      Shape.merged(
          Shape.fieldsOf("", TRACE),
          List.of(
              Shape.optional("transaction_id", Shape.TEXT, "Its message."),
              Shape.optional("partition_id", Shape.TEXT, "The partition of that."),
              Shape.optional("queue_name", Shape.QUEUE, "The queue of that."),
              Shape.optional("partition_name", Shape.TEXT, "The same by name."),
              Shape.optional("message_payload", Shape.ANY, "Its payload, or null."),
              Shape.optional(
                  "message_payloadBase64", Shape.TEXT, "The payload if it is not JSON.")));

  private static final Shape NAME =
      Shape.fields(
          Shape.required("trace_name", Shape.TEXT, "The name."),
          Shape.required("trace_count", Shape.WHOLE, "How many notes have it."),
          Shape.required("message_count", Shape.WHOLE, "About how many messages."),
          Shape.required("last_seen", Shape.TIME, "When it was last used."));
}
