package io.holdfast.server.compat.priority;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;

/** Ends the lock of a priority queue: its items are done. */
final class AcknowledgeRoute {
  private static final String LOCK_EXPIRED = "LOCK_EXPIRED";
  private static final String MISSING = "lock_id is required";

  private static final Field<String> LOCK_ID =
      Field.required("lock_id", Json.TEXT, "The lock, as the pop returned it.").missing(MISSING);
  private static final JsonType<String> BODY = Json.object(AcknowledgeRoute::read, LOCK_ID);

  private static final JsonType<Integer> ACKNOWLEDGED =
      JsonObject.of(Integer.class)
          .flag("success", count -> true, "true.")
          .text("message", count -> "Items acknowledged successfully", "A text for people.")
          .whole("items_acknowledged", count -> count, "Number of items.")
          .type();

  private AcknowledgeRoute() {}

  static Route route() {
    return Route.post("/queue/{id}/acknowledge", Access.CONSUME)
        .summary("Acknowledge all items of a lock")
        .problemsAs(PriorityRoutes::failure)
        .traffic("settle-lease")
        .body(BODY)
        .doing(AcknowledgeRoute::acknowledge)
        .answers(200, "the items are done", ACKNOWLEDGED)
        .answers(
            400,
            "lock_id is missing, or it is not the lock that the queue has",
            PriorityRoutes.FAILURE)
        .answers(404, "the queue has no lock", PriorityRoutes.FAILURE)
        .answers(
            410,
            "the lock has expired, and its items are back in the queue",
            PriorityRoutes.FAILURE);
  }

  private static Answer acknowledge(Call call) {
    String queue = call.part("id");
    String lockId = call.json(BODY);
    return switch (state(call.broker(), queue, lockId)) {
      case LIVE -> settle(call, queue, lockId);
      case LOST -> expired();
      case SETTLED -> throw noSuchLock(call.broker(), queue);
    };
  }

  /** What became of a lock; one that is not of this queue counts as one that is over. */
  private static LeaseInfo.State state(Broker broker, String queue, String lockId) {
    Result<LeaseInfo> known = broker.lease(lockId);
    if (!known.isOk() && known.refusal().code() == ErrorCode.NOT_FOUND) {
      return LeaseInfo.State.SETTLED;
    }
    LeaseInfo lease = Refusals.orThrow(known);
    boolean ours =
        queue.equals(lease.queue())
            && (lease.group() == null || lease.group().equals(PopRequest.QUEUE_MODE));
    return ours ? lease.state() : LeaseInfo.State.SETTLED;
  }

  private static Answer settle(Call call, String queue, String lockId) {
    SettleVerdict verdict =
        call.ask(Broker::settle, SettleRequest.of(Settle.ackAll(lockId))).verdicts().getFirst();
    return switch (verdict.status()) {
      case ACKED -> Answer.ok(ACKNOWLEDGED, verdict.count());
      // It ended between the look and the settle.
      case STALE_LEASE -> expired();
      case ALREADY_SETTLED, NOT_FOUND, CANCELLED -> throw noSuchLock(call.broker(), queue);
      case RETRYING, RELEASED, DEAD, DROPPED, LEASE_REQUIRED, NOT_APPLIED ->
          throw new IllegalStateException("an ack of a whole lease was answered " + verdict);
    };
  }

  private static Answer expired() {
    Problem problem = Problem.of(410, LOCK_EXPIRED, "Lock has expired");
    return problem.answer(PriorityRoutes.beginFailure(problem).put("error_code", LOCK_EXPIRED));
  }

  private static Problem noSuchLock(Broker broker, String queue) {
    return isLocked(broker, queue)
        ? Problem.of(400, "INVALID_LOCK_ID", "Invalid lock_id")
        : Problem.of(404, "LOCK_NOT_FOUND", "No active lock found");
  }

  private static boolean isLocked(Broker broker, String queue) {
    Result<Page<GroupInfo>> groups = broker.groups(new GroupsRequest(queue, PopRequest.QUEUE_MODE));
    if (!groups.isOk() && groups.refusal().code() == ErrorCode.NOT_FOUND) {
      return false;
    }
    return Refusals.orThrow(groups).items().stream().anyMatch(group -> group.leases() > 0);
  }

  private static String read(Values in) {
    if (in.get(LOCK_ID).isEmpty()) {
      throw JsonException.missing(LOCK_ID.name(), MISSING);
    }
    return in.get(LOCK_ID);
  }
}
