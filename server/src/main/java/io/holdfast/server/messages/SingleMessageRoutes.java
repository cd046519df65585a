package io.holdfast.server.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Moved;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.MessageJson;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Authority;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Route;
import java.util.List;

/** Cancels, reschedules and explains one message by its id, in whatever state it is. */
public final class SingleMessageRoutes {
  private static final Field<Long> VISIBLE_AT =
      Field.time("visibleAt", "Instead of delaySeconds: when.");
  private static final Field<Long> DELAY =
      Field.optional("delaySeconds", Json.seconds(Limits.DURATION_MS_MAX), "Seconds from now.")
          .or(VISIBLE_AT)
          .missing("delaySeconds: expected it or visibleAt, but there is neither");
  private static final JsonType<Values> RESCHEDULE = Json.object(in -> in, DELAY, VISIBLE_AT);

  private static final JsonType<Moved> MOVED =
      JsonObject.of(Moved.class)
          .flag("success", moved -> true, "true.")
          .id("messageId", Moved::id, "The message.")
          .field(
              "state",
              MessageJson.STATE,
              Moved::state,
              "Where it was, for the group that had come furthest with it.")
          .timeOrNull("visibleAt", Moved::visibleAtMs, "When it is visible now; null if cancelled.")
          .type();

  private static final JsonType<Attempt> ATTEMPT =
      JsonObject.of(Attempt.class)
          .whole("number", Attempt::number, "Which delivery it was, from 1.")
          .include(MessageJson.FAILURE, attempt -> attempt)
          .type();

  private static final JsonType<GroupView> GROUP =
      JsonObject.of(GroupView.class)
          .text("consumerGroup", GroupView::group, "The group.")
          .field(
              "state", MessageJson.STATE, GroupView::state, "Where the message is, for this group.")
          .text("explain", GroupView::explain, "The same in words.")
          .whole("retryCount", GroupView::failures, "How often it failed.")
          .whole("expiries", GroupView::expiries, "How often its lease expired.")
          .timeOrNull("visibleAt", GroupView::visibleAtMs, "When it may be delivered, or null.")
          .textOrNull("leaseId", GroupView::leaseId, "The lease that holds it, or null.")
          .textOrNull("worker", GroupView::worker, "Who holds it, or null.")
          .timeOrNull("leaseExpiresAt", GroupView::leaseUntilMs, "Until when, or null.")
          .list("attempts", ATTEMPT, GroupView::attempts, "The newest failed ones, oldest first.")
          .type();

  private static final JsonType<MessageDetail> DETAIL =
      JsonObject.of(MessageDetail.class)
          .id("id", detail -> detail.message().id(), "The message's id.")
          .textOrNull(
              "transactionId", detail -> detail.message().transactionId(), "Its name, or null.")
          .queue("queue", detail -> detail.message().queue(), "Its queue.")
          .text("partition", detail -> detail.message().partition(), "Its partition.")
          .text(
              "partitionId",
              detail -> PartitionIds.text(detail.message().position().partition()),
              "The same, as acks name it.")
          .whole("priority", detail -> detail.message().position().lane(), "Its lane.")
          .whole("seq", detail -> detail.message().position().seq(), "Its number in the partition.")
          .time("createdAt", detail -> detail.message().createdMs(), "When it was pushed.")
          .timeOrNull(
              "visibleAt",
              detail -> detail.message().visibleMs(),
              "When it entered, or will enter, its lane.")
          .text("explain", MessageDetail::explain, "In words: where it is, and why.")
          .list("groups", GROUP, MessageDetail::groups, "How each group of its queue sees it.")
          .field(
              "headers",
              Json.map(Json.TEXT),
              detail -> detail.message().headers(),
              "Texts by name.")
          .payload("data", MessageDetail::message, "The payload.")
          .type();

  private SingleMessageRoutes() {}

  public static List<Route> routes() {
    return Route.about(
        MessageListRoute.TOPIC,
        Route.post("/api/v1/messages/{id}/cancel", Access.CONSUME)
            .summary("Take a message back for all groups; a leased one leaves its lease")
            .auditedInside("cancel")
            .answers(
                "cancelled",
                MOVED,
                call -> call.ask(Broker::cancel, CancelRequest.of(MessageIds.message(call)))),
        Route.post("/api/v1/messages/{id}/reschedule", Access.CONSUME)
            .summary("Make a message visible at another time; a leased one leaves its lease")
            .auditedInside("reschedule")
            .asking(Authority.CALLER, Authority.SERVER)
            .body(RESCHEDULE)
            .answers("rescheduled", MOVED, SingleMessageRoutes::reschedule),
        Route.get("/api/v1/messages/{id}/explain")
            .summary("Where a message is, and why it is not being delivered")
            .answers(
                "there is such a message",
                DETAIL,
                call -> call.ask(Broker::message, MessageIds.message(call))));
  }

  private static Moved reschedule(Call call) {
    MessageRef message = MessageIds.message(call);
    Values in = call.json(RESCHEDULE);
    Long delayMs = in.find(DELAY);
    long visibleAtMs = delayMs == null ? in.get(VISIBLE_AT) : call.nowMs() + delayMs;
    return call.ask(Broker::reschedule, new RescheduleRequest(message, visibleAtMs));
  }
}
