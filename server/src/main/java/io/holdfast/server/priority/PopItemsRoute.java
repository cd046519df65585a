package io.holdfast.server.priority;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.http.Times;

/** Takes items out of a priority queue, for good or under the queue's one lock. */
final class PopItemsRoute {
  private static final long TTL_SECONDS_MIN = 1;
  private static final long TTL_SECONDS_MAX = 300;
  private static final int ITEM_BYTES = 200;

  private static final Param REQUIRE_ACK =
      Param.flag("require_ack", "Hold the items under a lock until they are acknowledged.");
  private static final Param TTL_SECONDS =
      Param.number(
          "ttl_seconds",
          30,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          "How long the lock lasts; brought within 1 to 300.");
  private static final Param COUNT =
      Param.number("count", 100, 1, Limits.BATCH_MAX, "Most items of the answer.");

  private final Broker broker;

  PopItemsRoute(Broker broker) {
    this.broker = broker;
  }

  Route route() {
    return Route.post(
            "/queue/{id}/pop",
            Access.CONSUME,
            PriorityRoutes.TOPIC,
            "Pop items, lowest priority number first",
            Failures.told(this::pop))
        .traffic()
        .query(REQUIRE_ACK, TTL_SECONDS, COUNT)
        .answers(
            200,
            "popped, or there is nothing",
            Shape.fields(
                Shape.required("items", Shape.array(Shape.ANY), "The items, as they were pushed."),
                Shape.required("count", Shape.WHOLE, "How many."),
                Shape.optional("locked", Shape.FLAG, "With require_ack: whether there is a lock."),
                Shape.optional("lock_id", Shape.TEXT, "What to acknowledge."),
                Shape.optional("lock_expires_at", Shape.NUMBER, "When the items return: seconds."),
                Shape.optional("message", Shape.TEXT, "Why there is nothing although items wait.")))
        .answers(
            423,
            "the queue is locked until its items are acknowledged",
            Shape.fields(
                Shape.required("success", Shape.FLAG, "false."),
                Shape.required("message", Shape.TEXT, "That it is locked."),
                Shape.required("items", Shape.array(Shape.ANY), "Empty."),
                Shape.required("count", Shape.WHOLE, "0."),
                Shape.required("locked", Shape.FLAG, "true."),
                Shape.required("lock_expires_at", Shape.NUMBER, "Until when: seconds."),
                Shape.required("error", Shape.TEXT, "The same as message."),
                Shape.required("code", Shape.TEXT, "LOCKED.")));
  }

  private Answer pop(Call call) {
    boolean requireAck = call.query().flag(REQUIRE_ACK);
    long ttlSeconds = call.query().clamped(TTL_SECONDS, TTL_SECONDS_MIN, TTL_SECONDS_MAX);
    PopRequest request =
        PopRequest.partition(call.part("id"), NewMessage.DEFAULT_PARTITION)
            .batch((int) call.query().number(COUNT))
            .leaseMs(requireAck ? ttlSeconds * 1000 : 0)
            .autoAck(!requireAck);
    Popped popped = Failures.orThrow(broker.pop(request));
    if (popped.reason() == Popped.Reason.LOCKED) {
      return locked(popped);
    }
    return popped.isEmpty() ? nothing(popped, requireAck) : items(popped, requireAck);
  }

  private Answer items(Popped popped, boolean requireAck) {
    JsonOut out = new JsonOut(ITEM_BYTES * popped.messages().size() + 200).beginObject();
    out.beginArray("items");
    for (Delivery delivery : popped.messages()) {
      out.addPayload(delivery.message().payload());
    }
    out.endArray().put("count", popped.messages().size());
    if (!requireAck) {
      return Answer.ok(out.endObject());
    }
    String lockId = popped.leaseId();
    out.put("locked", true)
        .put("lock_id", lockId)
        .putSeconds("lock_expires_at", popped.leaseUntilMs());
    // A client that is gone must not keep the queue locked until the lock expires.
    return Answer.ok(out.endObject())
        .undoneBy(() -> broker.settle(SettleRequest.of(Settle.releaseAll(lockId))));
  }

  private static Answer nothing(Popped popped, boolean requireAck) {
    JsonOut out = empty(new JsonOut().beginObject());
    if (requireAck) {
      out.put("locked", false);
    }
    String why = why(popped.reason());
    if (!why.isEmpty()) {
      out.put("message", why);
    }
    Answer answer = Answer.ok(out.endObject()).header("X-Holdfast-Reason", popped.reason().name());
    return popped.retryAtMs() <= 0 || popped.retryAtMs() == Long.MAX_VALUE
        ? answer
        : answer.header("X-Holdfast-Retry-At", Times.text(popped.retryAtMs()));
  }

  private static JsonOut empty(JsonOut out) {
    return out.beginArray("items").endArray().put("count", 0);
  }

  private static String why(Popped.Reason reason) {
    return switch (reason) {
      case NONE, EMPTY, LOCKED -> "";
      case BACKOFF -> "An item that failed waits for its retry";
      case DELAYED -> "The items are delayed";
      case WINDOW -> "The items are withheld until the queue was quiet for its windowBuffer";
      case IN_FLIGHT_LIMIT -> "So much is in flight that nothing new is taken";
      case PAUSED -> "The queue is paused";
      case UNREADABLE -> "The next item cannot be decrypted";
      case RESERVED -> "The items are reserved for other workers";
    };
  }

  private static Answer locked(Popped popped) {
    Problem problem = Problem.of(423, "LOCKED", "Queue is locked pending acknowledgement");
    return problem.answer(
        empty(Failures.begin(problem))
            .put("locked", true)
            .putSeconds("lock_expires_at", popped.retryAtMs()));
  }
}
