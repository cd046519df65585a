package io.holdfast.server.priority;

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
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;

/** Ends the lock of a priority queue: its items are done. */
final class AcknowledgeRoute {
  private static final String LOCK_ID = "lock_id";
  private static final String LOCK_EXPIRED = "LOCK_EXPIRED";

  private final Broker broker;

  AcknowledgeRoute(Broker broker) {
    this.broker = broker;
  }

  Route route() {
    return Route.post(
            "/queue/{id}/acknowledge",
            Access.CONSUME,
            PriorityRoutes.TOPIC,
            "Acknowledge all items of a lock",
            Failures.told(this::acknowledge))
        .traffic("settle-lease")
        .body(Shape.fields(Shape.required(LOCK_ID, Shape.TEXT, "The lock, as the pop told it.")))
        .answers(
            200,
            "the items are done",
            Shape.fields(
                Shape.required("success", Shape.FLAG, "true."),
                Shape.required("message", Shape.TEXT, "What happened."),
                Shape.required("items_acknowledged", Shape.WHOLE, "How many.")))
        .answers(
            400, "lock_id is missing, or it is not the lock that the queue has", Failures.SHAPE)
        .answers(404, "the queue has no lock", Failures.SHAPE)
        .answers(410, "the lock has expired, and its items are back in the queue", Failures.SHAPE);
  }

  private Answer acknowledge(Call call) {
    String queue = call.part("id");
    String lockId = call.json(AcknowledgeRoute::read);
    return switch (state(queue, lockId)) {
      case LIVE -> settle(queue, lockId);
      case LOST -> expired();
      case SETTLED -> throw noSuchLock(queue);
    };
  }

  /** What became of a lock; one that is not of this queue counts as one that is over. */
  private LeaseInfo.State state(String queue, String lockId) {
    Result<LeaseInfo> known = broker.lease(lockId);
    if (!known.isOk() && known.refusal().code() == ErrorCode.NOT_FOUND) {
      return LeaseInfo.State.SETTLED;
    }
    LeaseInfo lease = Failures.orThrow(known);
    boolean ours =
        queue.equals(lease.queue())
            && (lease.group() == null || lease.group().equals(PopRequest.QUEUE_MODE));
    return ours ? lease.state() : LeaseInfo.State.SETTLED;
  }

  private Answer settle(String queue, String lockId) {
    SettleVerdict verdict =
        Failures.orThrow(broker.settle(SettleRequest.of(Settle.ackAll(lockId))))
            .verdicts()
            .getFirst();
    return switch (verdict.status()) {
      case ACKED ->
          Answer.ok(
              new JsonOut()
                  .beginObject()
                  .put("success", true)
                  .put("message", "Items acknowledged successfully")
                  .put("items_acknowledged", verdict.count())
                  .endObject());
      // It ended between the look and the settle.
      case STALE_LEASE -> expired();
      case ALREADY_SETTLED, NOT_FOUND, CANCELLED -> throw noSuchLock(queue);
      case RETRYING, RELEASED, DEAD, DROPPED, LEASE_REQUIRED, NOT_APPLIED ->
          throw new IllegalStateException("an ack of a whole lease was answered " + verdict);
    };
  }

  private static Answer expired() {
    Problem problem = Problem.of(410, LOCK_EXPIRED, "Lock has expired");
    return problem.answer(Failures.begin(problem).put("error_code", LOCK_EXPIRED));
  }

  private Problem noSuchLock(String queue) {
    return isLocked(queue)
        ? Problem.of(400, "INVALID_LOCK_ID", "Invalid lock_id")
        : Problem.of(404, "LOCK_NOT_FOUND", "No active lock found");
  }

  private boolean isLocked(String queue) {
    Result<Page<GroupInfo>> groups = broker.groups(new GroupsRequest(queue, PopRequest.QUEUE_MODE));
    if (!groups.isOk() && groups.refusal().code() == ErrorCode.NOT_FOUND) {
      return false;
    }
    return Failures.orThrow(groups).items().stream().anyMatch(group -> group.leases() > 0);
  }

  private static String read(JsonIn in) {
    String lockId = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!field.equals(LOCK_ID)) {
        throw in.unknown(LOCK_ID);
      }
      lockId = in.textOrNull();
    }
    if (lockId == null || lockId.isEmpty()) {
      throw Problem.required(LOCK_ID, "lock_id is required");
    }
    return lockId;
  }
}
