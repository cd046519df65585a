package io.holdfast.server.queen;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.Position;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.http.Times;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Gives leases more time, tells of them, and settles all that one holds. */
public final class LeaseRoutes {
  private static final String TOPIC = "Acknowledgement";
  private static final long SECONDS = 60;

  private final Broker broker;

  public LeaseRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(extending(), looking(), settling());
  }

  private Route extending() {
    return Route.async(
            Route.Method.POST,
            "/api/v1/lease/{leaseId}/extend",
            Access.CONSUME,
            TOPIC,
            "Give a lease more time; it is never shortened",
            this::extend)
        .traffic()
        .bodyIfAny(
            Shape.fields(
                Shape.optional("seconds", Shape.WHOLE, "It then lasts so long from now; 60."),
                Shape.optional(
                    "waitSeconds",
                    Shape.NUMBER,
                    "Once extended, wait so long for news: it answers at once when a message of"
                        + " the lease is cancelled or the lease ends.")))
        .answers(
            200,
            "decided; success says whether the lease lives",
            Shape.fields(
                Shape.required("leaseId", Shape.TEXT, "The lease."),
                Shape.required("success", Shape.FLAG, "false if it is over."),
                Shape.required("renewed", Shape.WHOLE, "1, or 0 if it is over."),
                Shape.required("newExpiresAt", Shape.TIME, "When it ends; null if it is over."),
                Shape.required("expiresAt", Shape.TIME, "The same."),
                Shape.required("lease_expires_at", Shape.TIME, "The same."),
                Shape.optional("open", Shape.WHOLE, "How many messages it still holds."),
                Shape.optional(
                    "cancelled",
                    Shape.array(
                        Shape.fields(
                            Shape.required("partitionId", Shape.TEXT, "Its partition."),
                            Shape.required("priority", Shape.WHOLE, "Its lane."),
                            Shape.required("seq", Shape.WHOLE, "Its number."))),
                    "The messages that were taken out of it by a cancel or a reschedule."),
                Shape.optional("error", Shape.TEXT, "Why it was not extended."),
                Shape.optional("code", Shape.TEXT, "The same for programs.")));
  }

  private Route looking() {
    return Route.get(
            "/api/v1/lease/{leaseId}", Access.READ, TOPIC, "What is known of a lease", this::look)
        .answers(
            200,
            "it lives or is remembered",
            Shape.fields(
                Shape.required("leaseId", Shape.TEXT, "The lease."),
                Shape.required(
                    "state",
                    Shape.words("live", "settled", "lost"),
                    "settled: by its holder, all of it. lost: it expired, or messages of it were"
                        + " given back or taken away."),
                Shape.required("queue", Shape.QUEUE, "Its queue; null if that was deleted."),
                Shape.required("consumerGroup", Shape.TEXT, "Its group; null if it is over."),
                Shape.required("worker", Shape.TEXT, "Who holds it; null if nobody said."),
                Shape.required("expiresAt", Shape.TIME, "When it ends; null if it is over."),
                Shape.required("rememberedUntil", Shape.TIME, "Of one that is over; else null."),
                Shape.required("open", Shape.WHOLE, "How many messages it still holds.")));
  }

  private Route settling() {
    return Route.post(
            "/api/v1/lease/{leaseId}/settle",
            Access.CONSUME,
            TOPIC,
            "Settle all that a lease still holds",
            this::settle)
        .traffic("settle-lease", "kill")
        .body(
            Shape.fields(
                AckItem.STATUS_FIELD,
                Shape.optional("error", Shape.TEXT, "Why it failed."),
                Shape.optional(
                    "delaySeconds", Shape.NUMBER, "With failed or release: come back then.")))
        .answers(
            200,
            "decided; success says whether anything was settled",
            Shape.fields(
                Shape.required("leaseId", Shape.TEXT, "The lease."),
                Shape.required("success", Shape.FLAG, "Whether anything was settled."),
                Shape.required("count", Shape.WHOLE, "How many messages."),
                Shape.required("message", Shape.TEXT, "What became of the last of them."),
                Shape.required("error", Shape.TEXT, "Why nothing was settled, or null."),
                Shape.optional("code", Shape.TEXT, "The same for programs.")));
  }

  /** A wish for more time as it came. */
  private record Wish(long seconds, long waitMs) {}

  private AsyncAnswer<Extended> extend(Call call) {
    String leaseId = call.part("leaseId");
    Wish wish = call.hasBody() ? call.json(LeaseRoutes::readWish) : new Wish(SECONDS, 0);
    ExtendRequest request = new ExtendRequest(leaseId, wish.seconds() * 1000, wish.waitMs());
    AsyncResult<Extended> asked = broker.extendAsync(request);
    return new AsyncAnswer<>(
        wish.waitMs() == 0 ? asked : call.whileConnected(asked),
        result -> extended(leaseId, result));
  }

  private static Answer extended(String leaseId, Result<Extended> result) {
    if (result instanceof Result.Ok<Extended> ok) {
      return extended(leaseId, ok.value());
    }
    Refusal why = result.refusal();
    if (why.code() != ErrorCode.STALE_LEASE) {
      throw Problem.refused(why);
    }
    JsonOut out = new JsonOut().beginObject();
    extended(out, leaseId, false, null);
    out.put("error", why.detail()).put("code", why.code().name());
    return Answer.ok(out.endObject());
  }

  private static Answer extended(String leaseId, Extended lease) {
    JsonOut out = new JsonOut().beginObject();
    extended(out, leaseId, true, Times.text(lease.leaseUntilMs()));
    out.put("open", lease.open()).beginArray("cancelled");
    for (Position position : lease.cancelled()) {
      out.beginObject()
          .put("partitionId", PartitionIds.text(position.partition()))
          .put("priority", position.lane())
          .put("seq", position.seq())
          .endObject();
    }
    return Answer.ok(out.endArray().endObject());
  }

  private static void extended(
      JsonOut out, String leaseId, boolean lives, @Nullable String expiresAt) {
    out.put("leaseId", leaseId)
        .put("success", lives)
        .put("renewed", lives ? 1 : 0)
        .put("newExpiresAt", expiresAt)
        .put("expiresAt", expiresAt)
        .put("lease_expires_at", expiresAt);
  }

  private static Wish readWish(JsonIn in) {
    long seconds = SECONDS;
    long waitMs = 0;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "seconds" ->
            seconds = in.isNull() ? SECONDS : in.number(1, Limits.LEASE_MS_MAX / 1000);
        case "waitSeconds" -> waitMs = in.isNull() ? 0 : in.secondsAsMs(Limits.WAIT_MS_MAX);
        default -> throw in.unknown("seconds", "waitSeconds");
      }
    }
    return new Wish(seconds, waitMs);
  }

  private Answer look(Call call) {
    LeaseInfo lease = Refusals.orThrow(broker.lease(call.part("leaseId")));
    boolean live = lease.state() == LeaseInfo.State.LIVE;
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("leaseId", lease.id())
            .put("state", lease.state().name().toLowerCase(Locale.ROOT))
            .put("queue", lease.queue())
            .put("consumerGroup", lease.group())
            .put("worker", lease.worker())
            .putTime("expiresAt", live ? lease.untilMs() : 0)
            .putTime("rememberedUntil", live ? 0 : lease.untilMs())
            .put("open", lease.open())
            .endObject());
  }

  private Answer settle(Call call) {
    String leaseId = call.part("leaseId");
    AckItem item = call.json(LeaseRoutes::readSettle);
    item.leaseId = leaseId;
    Settle settle = item.settle(() -> "", null, null);
    SettleVerdict verdict =
        Refusals.orThrow(broker.settle(SettleRequest.of(settle))).verdicts().getFirst();
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("leaseId", leaseId)
            .put("success", verdict.applied())
            .put("count", verdict.count())
            .put("message", AckAnswer.word(verdict.status()))
            .put("error", AckAnswer.error(verdict.status()));
    if (!verdict.applied()) {
      out.put("code", verdict.code().name());
    }
    return Answer.ok(out.endObject());
  }

  private static AckItem readSettle(JsonIn in) {
    AckItem item = new AckItem();
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "status", "error", "delaySeconds" -> item.readField(field, in);
        default -> throw in.unknown("status", "error", "delaySeconds");
      }
    }
    return item;
  }
}
