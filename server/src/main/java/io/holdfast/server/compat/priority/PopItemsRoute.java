package io.holdfast.server.compat.priority;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonOut;
import io.holdfast.json.JsonType;
import io.holdfast.json.Schema;
import io.holdfast.json.Times;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import org.jspecify.annotations.Nullable;

/** Pops items of a priority queue, for good or under the one lock of the queue. */
final class PopItemsRoute {
  private static final long TTL_SECONDS_MIN = 1;
  private static final long TTL_SECONDS_MAX = 300;

  private static final Field<Boolean> REQUIRE_ACK =
      Field.flag("require_ack", "Hold the items under a lock until they are acknowledged.");
  private static final Field<Long> TTL_SECONDS =
      Field.optional(
          "ttl_seconds",
          Json.clamped(TTL_SECONDS_MIN, TTL_SECONDS_MAX),
          30L,
          "How long the lock lasts; brought within 1 to 300.");
  private static final Field<Long> COUNT =
      Field.number("count", 100, 1, Limits.BATCH_MAX, "Most items of the answer.");

  /** The items of a pop, perhaps none. */
  private record Items(Popped popped, boolean requireAck) {
    boolean isLocked() {
      return requireAck && !popped.isEmpty();
    }

    @Nullable String message() {
      String why = popped.isEmpty() ? why(popped.reason()) : "";
      return why.isEmpty() ? null : why;
    }
  }

  private static final JsonType<Items> ITEMS =
      JsonObject.of(Items.class)
          .list(
              "items",
              Json.ANY.from((Delivery delivery) -> delivery.message().payload()),
              items -> items.popped().messages(),
              "The items, as they were pushed.")
          .whole("count", items -> items.popped().messages().size(), "Number of items.")
          .optional(
              "locked",
              Json.FLAG,
              items -> items.requireAck() ? items.isLocked() : null,
              "With require_ack: whether there is a lock.")
          .optional(
              "lock_id",
              Json.TEXT,
              items -> items.isLocked() ? items.popped().leaseId() : null,
              "The lock to acknowledge.")
          .optional(
              "lock_expires_at",
              Json.EPOCH_SECONDS,
              items -> items.isLocked() ? items.popped().leaseUntilMs() : null,
              "When the items return, in epoch seconds.")
          .optional("message", Json.TEXT, Items::message, "Why no waiting item is delivered.")
          .type();

  private PopItemsRoute() {}

  static Route route() {
    return Route.post("/queue/{id}/pop", Access.CONSUME)
        .summary("Pop items, lowest priority number first")
        .problemsAs(PriorityRoutes::failure)
        .traffic()
        .query(REQUIRE_ACK, TTL_SECONDS, COUNT)
        .doing(PopItemsRoute::pop)
        .answers(200, "popped, or there is nothing", ITEMS)
        .answers(
            423,
            "the queue is locked until its items are acknowledged",
            Schema.fields(
                Schema.required("success", Schema.FLAG, "false."),
                Schema.required("message", Schema.TEXT, "That it is locked."),
                Schema.required("items", Schema.array(Schema.ANY), "Empty."),
                Schema.required("count", Schema.WHOLE, "0."),
                Schema.required("locked", Schema.FLAG, "true."),
                Schema.required("lock_expires_at", Schema.NUMBER, "Until when: seconds."),
                Schema.required("error", Schema.TEXT, "The same as message."),
                Schema.required("code", Schema.TEXT, "LOCKED.")));
  }

  private static Answer pop(Call call) {
    boolean requireAck = call.query().get(REQUIRE_ACK);
    long ttlSeconds = call.query().get(TTL_SECONDS);
    PopRequest request =
        PopRequest.partition(call.part("id"), NewMessage.DEFAULT_PARTITION)
            .batch(call.query().get(COUNT).intValue())
            .leaseMs(requireAck ? ttlSeconds * 1000 : 0)
            .autoAck(!requireAck);
    Popped popped = call.ask(Broker::pop, request);
    if (popped.reason() == Popped.Reason.LOCKED) {
      return locked(popped);
    }
    Items items = new Items(popped, requireAck);
    Answer answer = Answer.ok(ITEMS, items);
    if (popped.isEmpty()) {
      return nothing(answer, popped);
    }
    // A client that is gone must not keep the queue locked until the lock expires.
    return items.isLocked()
        ? answer.undoneBy(
            () -> call.broker().settle(SettleRequest.of(Settle.releaseAll(popped.leaseId()))))
        : answer;
  }

  private static Answer nothing(Answer empty, Popped popped) {
    Answer answer = empty.header("X-Holdfast-Reason", popped.reason().name());
    return popped.retryAtMs() <= 0 || popped.retryAtMs() == Long.MAX_VALUE
        ? answer
        : answer.header("X-Holdfast-Retry-At", Times.text(popped.retryAtMs()));
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
    JsonOut out =
        PriorityRoutes.beginFailure(problem).beginArray("items").endArray().put("count", 0);
    return problem.answer(
        out.put("locked", true).putSeconds("lock_expires_at", popped.retryAtMs()));
  }
}
