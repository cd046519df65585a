package io.holdfast.server.messages;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.json.Field;
import io.holdfast.json.Fields;
import io.holdfast.json.Json;
import io.holdfast.json.JsonType;
import io.holdfast.json.Times;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import io.holdfast.server.leases.AckItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leases messages, from a queue, a partition, or all queues of a namespace or task. */
public final class PopRoutes {
  private static final int AUTOPILOT_BATCH = 100;
  private static final int AUTOPILOT_PARTITIONS = 10;
  private static final String SOME = "there are messages";
  private static final String NONE =
      "there are none; X-Holdfast-Reason says why, and X-Holdfast-Retry-At until when";

  private static final Field<String> GROUP =
      Field.text(
          "consumerGroup", PopRequest.QUEUE_MODE, "Each group gets every message, once per group.");
  private static final Field<Long> BATCH =
      Field.number("batch", 1, 1, Limits.BATCH_MAX, "Most messages of the answer.");
  private static final Field<Long> PARTITIONS =
      Field.number("partitions", 1, 1, Limits.POP_PARTITIONS_MAX, "Most partitions to take from.");
  private static final Field<Boolean> WAIT =
      Field.flag("wait", "Wait for messages if there are none.");
  private static final Field<Long> TIMEOUT =
      Field.number("timeout", 30_000, 0, Limits.WAIT_MS_MAX, "Milliseconds to wait.");
  private static final Field<Boolean> AUTO_ACK =
      Field.flag("autoAck", "Settle at delivery: at most once, no lease.");
  private static final Field<Boolean> COMMIT_ON_DELIVERY =
      Field.flag("commitOnDelivery", "Another name of autoAck.");
  private static final Field<String> MODE =
      Field.text(
          "subscriptionMode",
          "Where a group that is new begins: all (default) that is stored, or new or new-only: only"
              + " what comes. Any other word means all.");
  private static final Field<String> FROM =
      Field.text("subscriptionFrom", "Where a group that is new begins: now, or a time.");
  private static final Field<Long> LEASE_SECONDS =
      Field.number(
          "leaseSeconds",
          0,
          0,
          Limits.LEASE_MS_MAX / 1000,
          "How long the lease lasts; 0 = as the queue says.");
  private static final Field<String> WORKER = Field.text("worker", "Who asks; shown with leases.");
  private static final Field<String> ATTEMPT_ID =
      Field.text(
          "attemptId",
          "The same for a pop and its repeats: while the lease of the first lives, a repeat returns"
              + " that lease and its open messages. Not with autoAck.");
  private static final Field<Boolean> AUTOPILOT =
      Field.flag(
          "autopilot",
          "Leave the sizes to the broker: if batch is not named it is "
              + AUTOPILOT_BATCH
              + ", if partitions is not named it is "
              + AUTOPILOT_PARTITIONS
              + ".");
  private static final Field<String> NAMESPACE =
      Field.text("namespace", "The namespace of the queues.");
  private static final Field<String> TASK = Field.text("task", "The task of the queues.");

  private static final Field<String> STRICT_MODE =
      Field.word(
          MODE.name(),
          null,
          "Where a group that is new begins: all that is stored, or only what comes.",
          "all",
          "new",
          "new-only");

  private static final Field<?>[] COMMON = {
    GROUP,
    BATCH,
    PARTITIONS,
    WAIT,
    TIMEOUT,
    AUTO_ACK,
    COMMIT_ON_DELIVERY,
    FROM,
    LEASE_SECONDS,
    WORKER,
    ATTEMPT_ID,
    AUTOPILOT
  };

  private static final Fields PARAMS = Fields.of(COMMON).and(MODE);

  private static final Field<String> QUEUE =
      Field.optional("queue", Json.QUEUE, "The queue to take from.");
  private static final Field<String> PARTITION =
      Field.text("partition", "With queue: only this partition.");
  private static final Field<List<AckItem>> SETTLES =
      Field.optional(
          "settles",
          Json.list(AckItem.ONE_OR_WHOLE, Limits.OPERATIONS_MAX),
          List.of(),
          "What to settle first, each by itself; leaseId and status alone settle a whole lease.");
  private static final Field<String> JOIN_LEASE =
      Field.text("joinLease", "A lease that lives, for new messages to join.");

  /** A pop, with what is to be settled in the same step. */
  private record SettlingPop(PopRequest request, List<AckItem> settles) {}

  private static final JsonType<Values> BODY =
      Json.object(
          in -> in,
          Fields.of(QUEUE, PARTITION, NAMESPACE, TASK)
              .and(COMMON)
              .and(STRICT_MODE, SETTLES, JOIN_LEASE));

  private PopRoutes() {}

  public static List<Route> routes() {
    return Route.about(
        MessageListRoute.TOPIC,
        pop("/queue/{queue}")
            .summary("Lease messages of a queue")
            .query(PARAMS)
            .answersAsync(200, SOME, PopAnswer.TYPE, PopRoutes::queue)
            .answers(204, NONE),
        pop("/queue/{queue}/partition/{partition}")
            .summary("Lease messages of one partition")
            .query(PARAMS)
            .answersAsync(200, SOME, PopAnswer.TYPE, PopRoutes::partition)
            .answers(204, NONE),
        pop("")
            .summary("Lease messages of all queues of a namespace or task")
            .query(PARAMS.and(NAMESPACE, TASK))
            .example("namespace=billing")
            .answersAsync(200, SOME, PopAnswer.TYPE, PopRoutes::tagged)
            .answers(204, NONE),
        Route.post("/api/v1/pop", Access.CONSUME)
            .summary("Lease messages, and settle others in the same step")
            .traffic("kill", "settle-lease")
            .keyedByBroker()
            .body(BODY)
            .answersAsync(
                200,
                "there are messages, or settles came with it",
                PopAnswer.TYPE,
                call -> pop(call, settlingPop(call, call.json(BODY))))
            .answers(204, NONE));
  }

  private static Route pop(String path) {
    return Route.get("/api/v1/pop" + path, Access.CONSUME).traffic().keyedByBroker();
  }

  private static AsyncAnswer<Popped> queue(Call call) {
    return pop(call, new PopSource.WholeQueue(call.part("queue")));
  }

  private static AsyncAnswer<Popped> partition(Call call) {
    return pop(call, new PopSource.OnePartition(call.part("queue"), call.part("partition")));
  }

  private static AsyncAnswer<Popped> tagged(Call call) {
    return pop(call, new PopSource.Tagged(call.query().find(NAMESPACE), call.query().find(TASK)));
  }

  private static AsyncAnswer<Popped> pop(Call call, PopSource source) {
    return pop(call, new SettlingPop(request(call, source, call.query(), MODE), List.of()));
  }

  private static AsyncAnswer<Popped> pop(Call call, SettlingPop pop) {
    return new AsyncAnswer<>(
        Pops.pop(call, pop.request()),
        result ->
            PopAnswer.of(call.broker(), pop.request(), Refusals.orThrow(result), pop.settles()));
  }

  private static PopRequest request(Call call, PopSource source, Values in, Field<String> mode) {
    return new PopRequest(
        source,
        in.get(GROUP),
        size(in, BATCH, AUTOPILOT_BATCH),
        size(in, PARTITIONS, AUTOPILOT_PARTITIONS),
        in.get(WAIT) ? in.get(TIMEOUT) : 0,
        in.get(LEASE_SECONDS) * 1000,
        in.get(AUTO_ACK) || in.get(COMMIT_ON_DELIVERY),
        start(in.find(FROM), in.find(mode)),
        in.find(WORKER),
        List.of(),
        null,
        call.requestId(in.find(ATTEMPT_ID)),
        0);
  }

  private static int size(Values in, Field<Long> field, int autopilot) {
    return in.get(AUTOPILOT) && !in.has(field) ? autopilot : in.get(field).intValue();
  }

  private static SettlingPop settlingPop(Call call, Values in) {
    List<AckItem> settles = in.get(SETTLES);
    String group = in.get(GROUP);
    PopRequest request =
        request(call, source(in), in, STRICT_MODE)
            .settles(Json.convert("settles", settles, item -> item.settle(group, null)))
            .joinLease(in.find(JOIN_LEASE));
    return new SettlingPop(request, settles);
  }

  private static PopSource source(Values in) {
    String queue = in.find(QUEUE);
    String partition = in.find(PARTITION);
    String namespace = in.find(NAMESPACE);
    String task = in.find(TASK);
    boolean tagged = namespace != null || task != null;
    if (queue == null) {
      if (partition != null) {
        throw new InvalidArgumentException("partition: expected queue with it, but there is none");
      }
      if (!tagged) {
        throw new InvalidArgumentException(
            "queue: expected it, or namespace or task, but there is none");
      }
      return new PopSource.Tagged(namespace, task);
    }
    if (tagged) {
      throw new InvalidArgumentException("queue: expected it, or namespace or task, but got both");
    }
    return partition == null
        ? new PopSource.WholeQueue(queue)
        : new PopSource.OnePartition(queue, partition);
  }

  /** Where a group that is new begins. */
  private static StartFrom start(@Nullable String from, @Nullable String mode) {
    if (from != null && !from.equals("now")) {
      // A plus sign that nobody encoded has become a space.
      Long time = Times.parse(from.replace(' ', '+'));
      if (time == null || time < 0) {
        throw new InvalidArgumentException(
            FROM.name() + ": expected now or a time such as 2026-11-15T18:26:18Z, but got neither");
      }
      return new StartFrom.Time(time);
    }
    boolean isNew = "new".equals(mode) || "new-only".equals(mode);
    return from != null || isNew ? StartFrom.NEW : StartFrom.ALL;
  }
}
