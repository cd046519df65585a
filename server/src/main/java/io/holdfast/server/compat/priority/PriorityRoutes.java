package io.holdfast.server.compat.priority;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonOut;
import io.holdfast.json.JsonType;
import io.holdfast.json.Schema;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.List;

/**
 * The routes of a priority queue: one queue for each id, its priorities the lanes of the partition
 * {@code Default}, and the lease of the group of competing consumers its one lock.
 */
public final class PriorityRoutes {
  /** Errors have the fields success and message before the usual ones. */
  static final Schema FAILURE =
      Schema.fields(
          Schema.required("success", Schema.FLAG, "false."),
          Schema.required("message", Schema.TEXT, "What is wrong."),
          Schema.optional("error_code", Schema.TEXT, "LOCK_EXPIRED if the lock has expired."),
          Schema.required("error", Schema.TEXT, "The same as message."),
          Schema.required("code", Schema.TEXT, "The same for programs."));

  /** An item to push. */
  private record Item(byte[] json, int priority) {}

  private static final Field<byte[]> ELEMENT =
      Field.required("item", Json.ANY, "The item: any JSON, kept byte for byte.");
  private static final Field<Integer> ELEMENT_PRIORITY =
      Field.optional("priority", Json.integer(0, Integer.MAX_VALUE), 0, "0 (default) comes first.");
  private static final Field<List<Item>> ITEMS =
      Field.optional(
          "items",
          Json.list(
              Json.object(
                  in -> new Item(in.get(ELEMENT), in.get(ELEMENT_PRIORITY)),
                  ELEMENT,
                  ELEMENT_PRIORITY),
              Limits.BATCH_MAX),
          "Instead of item and priority: several of both.");
  private static final Field<byte[]> ITEM = ELEMENT.or(ITEMS);
  private static final Field<Integer> PRIORITY = ELEMENT_PRIORITY.or(ITEMS);

  private static final JsonType<List<Item>> PUSH =
      Json.object(PriorityRoutes::items, ITEM, PRIORITY, ITEMS);

  /** Items that were pushed. */
  private record Stored(List<Item> items, List<PushedMessage> messages) {
    String text() {
      return items.size() == 1
          ? "Item pushed at priority " + items.getFirst().priority()
          : items.size() + " items pushed";
    }
  }

  private static final JsonType<Stored> STORED =
      JsonObject.of(Stored.class)
          .flag("success", stored -> true, "true.")
          .text("message", Stored::text, "A text for people.")
          .whole("items_pushed", stored -> stored.items().size(), "Number of items.")
          .list(
              "ids",
              Json.ID.from(PushedMessage::id),
              Stored::messages,
              "The ids of the items, in their order.")
          .type();

  private static final String LOCK_EXPIRED = "LOCK_EXPIRED";
  private static final String NO_LOCK_ID = "lock_id is required";

  private static final Field<String> LOCK_ID =
      Field.required("lock_id", Json.TEXT, "The lock, as the pop returned it.").missing(NO_LOCK_ID);
  private static final JsonType<String> ACKNOWLEDGE = Json.object(PriorityRoutes::lockId, LOCK_ID);

  private static final JsonType<Integer> ACKNOWLEDGED =
      JsonObject.of(Integer.class)
          .flag("success", count -> true, "true.")
          .text("message", count -> "Items acknowledged successfully", "A text for people.")
          .whole("items_acknowledged", count -> count, "Number of items.")
          .type();

  private PriorityRoutes() {}

  public static List<Route> routes() {
    return Route.about("Priority queue", pushing(), PopItemsRoute.route(), acknowledging());
  }

  static Answer failure(Problem problem) {
    return problem.answer(beginFailure(problem));
  }

  /** The object of a failure, so that more can be put into it. */
  static JsonOut beginFailure(Problem problem) {
    return new JsonOut()
        .beginObject()
        .put("success", false)
        .put("message", String.valueOf(problem.getMessage()));
  }

  private static Route pushing() {
    return Route.post("/queue/{id}/push", Access.PUSH)
        .summary("Push one item, or several, all or none")
        .problemsAs(PriorityRoutes::failure)
        .traffic()
        .body(PUSH)
        .answers("stored", STORED, PriorityRoutes::push)
        .answers(400, "the item is missing, or the priority is not one", FAILURE);
  }

  private static List<Item> items(Values in) {
    List<Item> items = in.find(ITEMS);
    if (items == null) {
      return List.of(new Item(in.get(ITEM), in.get(PRIORITY)));
    }
    if (items.isEmpty()) {
      throw JsonException.field(ITEMS.name(), "expected at least one, but it is empty");
    }
    return items;
  }

  private static Stored push(Call call) {
    String queue = call.part("id");
    List<Item> items = call.json(PUSH);
    List<NewMessage> messages =
        items.stream()
            .map(item -> NewMessage.to(queue, item.json()).lane(item.priority()))
            .toList();
    return new Stored(items, call.ask(Broker::push, PushRequest.of(messages)).messages());
  }

  private static Route acknowledging() {
    return Route.post("/queue/{id}/acknowledge", Access.CONSUME)
        .summary("Acknowledge all items of a lock")
        .problemsAs(PriorityRoutes::failure)
        .traffic("settle-lease")
        .body(ACKNOWLEDGE)
        .doing(PriorityRoutes::acknowledge)
        .answers(200, "the items are done", ACKNOWLEDGED)
        .answers(400, "lock_id is missing, or it is not the lock that the queue has", FAILURE)
        .answers(404, "the queue has no lock", FAILURE)
        .answers(410, "the lock has expired, and its items are back in the queue", FAILURE);
  }

  private static Answer acknowledge(Call call) {
    String queue = call.part("id");
    String lockId = call.json(ACKNOWLEDGE);
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
    return problem.answer(beginFailure(problem).put("error_code", LOCK_EXPIRED));
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

  private static String lockId(Values in) {
    if (in.get(LOCK_ID).isEmpty()) {
      throw JsonException.missing(LOCK_ID.name(), NO_LOCK_ID);
    }
    return in.get(LOCK_ID);
  }
}
