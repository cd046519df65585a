package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.Message;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Times;
import io.holdfast.server.verbs.Pops;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Leases messages, from a queue, a partition, or all queues of a namespace or task. */
public final class PopRoutes {
  private static final String TOPIC = "Messages";
  private static final String NONE =
      "there are none; X-Holdfast-Reason says why, and X-Holdfast-Retry-At until when";

  static final Param GROUP =
      Param.text(
          "consumerGroup", PopRequest.QUEUE_MODE, "Each group gets every message, once per group.");
  static final Param BATCH =
      Param.number("batch", 1, 1, Limits.BATCH_MAX, "Most messages of the answer.");
  static final Param PARTITIONS =
      Param.number("partitions", 1, 1, Limits.POP_PARTITIONS_MAX, "Most partitions to take from.");
  static final Param WAIT = Param.flag("wait", "Wait for messages if there are none.");
  static final Param TIMEOUT =
      Param.number("timeout", 30_000, 0, Limits.WAIT_MS_MAX, "Milliseconds to wait.");
  static final Param AUTO_ACK =
      Param.flag("autoAck", "Settle at delivery: at most once, no lease.");
  static final Param COMMIT_ON_DELIVERY =
      Param.flag("commitOnDelivery", "Another name of autoAck.");
  static final Param MODE =
      Param.word(
          "subscriptionMode",
          null,
          "Where a group that is new begins: all that is stored, or only what comes.",
          "all",
          "new",
          "new-only");
  static final Param FROM =
      Param.text("subscriptionFrom", "Where a group that is new begins: now, or a time.");
  static final Param LEASE_SECONDS =
      Param.number(
          "leaseSeconds",
          0,
          0,
          Limits.LEASE_MS_MAX / 1000,
          "How long the lease lasts; 0 = as the queue says.");
  static final Param WORKER = Param.text("worker", "Who asks; shown with leases.");
  static final Param ATTEMPT_ID =
      Param.text(
          "attemptId",
          "The same for a pop and its repeats: while the lease of the first lives, a repeat returns"
              + " that lease and its open messages. Not with autoAck.");
  static final Param NAMESPACE = Param.text("namespace", "The namespace of the queues.");
  static final Param TASK = Param.text("task", "The task of the queues.");

  private final Pops pops;
  private final PopAnswer answer;

  public PopRoutes(Broker broker) {
    this.pops = new Pops(broker);
    this.answer = new PopAnswer(pops);
  }

  public List<Route> routes() {
    Param[] params = {
      GROUP,
      BATCH,
      PARTITIONS,
      WAIT,
      TIMEOUT,
      AUTO_ACK,
      COMMIT_ON_DELIVERY,
      MODE,
      FROM,
      LEASE_SECONDS,
      WORKER,
      ATTEMPT_ID
    };
    Param[] tagged =
        Stream.concat(Stream.of(params), Stream.of(NAMESPACE, TASK)).toArray(Param[]::new);
    return List.of(
        route("/api/v1/pop/queue/{queue}", "Lease messages of a queue", this::queue).query(params),
        route(
                "/api/v1/pop/queue/{queue}/partition/{partition}",
                "Lease messages of one partition",
                this::partition)
            .query(params),
        route("/api/v1/pop", "Lease messages of all queues of a namespace or task", this::tagged)
            .query(tagged),
        Route.async(
                Route.Method.POST,
                "/api/v1/pop",
                Access.CONSUME,
                TOPIC,
                "Lease messages, and settle others in the same step",
                this::settleAndPop)
            .traffic("kill", "settle-lease")
            .body(PopItem.SHAPE)
            .answers(200, "there are messages, or settles came with it", PopAnswer.SHAPE)
            .answers(204, NONE));
  }

  private AsyncAnswer<Popped> settleAndPop(Call call) {
    PopItem item = call.json(PopItem::read);
    return pop(call, item.request(), item.settles());
  }

  private static Route route(String path, String summary, Route.AsyncAction action) {
    return Route.async(Route.Method.GET, path, Access.CONSUME, TOPIC, summary, action)
        .traffic()
        .answers(200, "there are messages", PopAnswer.SHAPE)
        .answers(204, NONE);
  }

  private AsyncAnswer<Popped> queue(Call call) {
    return pop(call, new PopSource.WholeQueue(call.part("queue")));
  }

  private AsyncAnswer<Popped> partition(Call call) {
    return pop(call, new PopSource.OnePartition(call.part("queue"), call.part("partition")));
  }

  private AsyncAnswer<Popped> tagged(Call call) {
    return pop(call, new PopSource.Tagged(call.query().text(NAMESPACE), call.query().text(TASK)));
  }

  private AsyncAnswer<Popped> pop(Call call, PopSource source) {
    Query query = call.query();
    PopRequest request =
        new PopRequest(
            source,
            query.textOrDefault(GROUP),
            (int) query.number(BATCH),
            (int) query.number(PARTITIONS),
            query.flag(WAIT) ? query.number(TIMEOUT) : 0,
            query.number(LEASE_SECONDS) * 1000,
            query.flag(AUTO_ACK) || query.flag(COMMIT_ON_DELIVERY),
            start(query),
            query.text(WORKER),
            List.of(),
            null,
            query.text(ATTEMPT_ID),
            0);
    return pop(call, request, List.of());
  }

  private AsyncAnswer<Popped> pop(Call call, PopRequest request, List<AckItem> settles) {
    return new AsyncAnswer<>(
        pops.pop(call, request), result -> answer.of(request, Refusals.orThrow(result), settles));
  }

  private static StartFrom start(Query query) {
    return start(query.text(FROM), query.word(MODE));
  }

  /** Where a group that is new begins. */
  static StartFrom start(@Nullable String from, @Nullable String mode) {
    if (from != null && !from.equals("now")) {
      // A plus sign that nobody encoded has become a space.
      Long time = Times.parse(from.replace(' ', '+'));
      if (time == null || time < 0) {
        throw Problem.field(
            FROM.name(), "expected now or a time such as 2026-11-15T18:26:18Z, but got neither");
      }
      return new StartFrom.Time(time);
    }
    return from != null || (mode != null && mode.startsWith("new")) ? StartFrom.NEW : StartFrom.ALL;
  }

  /** A message that its producer gave no name goes by its id. */
  static String nameOf(Message message) {
    String name = message.transactionId();
    return name == null ? message.id().toString() : name;
  }
}
