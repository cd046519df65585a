package io.holdfast.server.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.Moved;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.MessageDetailJson;
import io.holdfast.json.objects.MessageJson;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Authority;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import io.holdfast.server.leases.AckAnswer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message, by its name or its id: shows and explains it, cancels, reschedules and retries it,
 * and makes it a dead letter.
 */
public final class MessageRoutes {
  private static final String PATH = "/api/v1/messages/{partitionId}/{transactionId}";

  private static final Field<String> GROUP =
      Field.text("consumerGroup", "Only for this group; else for all it applies to.");
  private static final Field<String> ERROR = Field.text("error", "Why.");
  private static final JsonType<Values> RETRY = Json.object(in -> in, GROUP);
  private static final JsonType<Values> KILL = Json.object(in -> in, ERROR, GROUP);

  /** A message that was changed, and for which groups. */
  private record Changed(Message message, List<String> groups, String result) {}

  private static final JsonType<Changed> CHANGED =
      JsonObject.of(Changed.class)
          .flag("success", changed -> true, "true.")
          .field(
              "result",
              Json.word("cancelled", "moved", "failed_dlq", "failed_dropped"),
              Changed::result,
              "What became of it.")
          .id("messageId", changed -> changed.message().id(), "Its id.")
          .text(
              "transactionId",
              changed -> MessageItem.nameOf(changed.message()),
              "Its name, or else its id.")
          .text(
              "partitionId",
              changed -> PartitionIds.text(changed.message().position().partition()),
              "Its partition, as acks name it.")
          .queue("queue", changed -> changed.message().queue(), "Its queue.")
          .text("partition", changed -> changed.message().partition(), "Its partition.")
          .list("consumerGroups", Json.TEXT, Changed::groups, "For which groups; empty for all.")
          .type();

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

  private static final JsonType<GroupView> GROUP_VIEW =
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
          .list("groups", GROUP_VIEW, MessageDetail::groups, "How each group of its queue sees it.")
          .field(
              "headers",
              Json.map(Json.TEXT),
              detail -> detail.message().headers(),
              "Texts by name.")
          .payload("data", MessageDetail::message, "The payload.")
          .type();

  private MessageRoutes() {}

  public static List<Route> routes() {
    return Route.about(
        MessageListRoute.TOPIC,
        Route.get(PATH)
            .summary("Show a message in whatever state, and why it is not being delivered")
            .asking(Authority.CALLER, Authority.SERVER)
            .answers("the message", MessageDetailJson.TYPE, MessageRoutes::show),
        Route.delete(PATH, Access.CONSUME)
            .summary("Take a message back for all groups, in whatever state")
            .auditedInside("cancel")
            .answers("it is gone", CHANGED, MessageRoutes::cancel),
        Route.post(PATH + "/retry", Access.CONSUME)
            .summary("Deliver a dead letter again")
            .auditedInside("requeue")
            .bodyIfAny(RETRY)
            .answers(
                "it is back at its old place, with no failures", CHANGED, MessageRoutes::retry),
        Route.post(PATH + "/dlq", Access.CONSUME)
            .summary("Make a message that is in flight or came back a dead letter")
            .auditedInside("kill")
            .bodyIfAny(KILL)
            .answers("it is a dead letter", CHANGED, MessageRoutes::kill),
        Route.post("/api/v1/messages/{id}/cancel", Access.CONSUME)
            .summary("Take a message back for all groups; a leased one leaves its lease")
            .auditedInside("cancel")
            .answers(
                "cancelled", MOVED, call -> call.ask(Broker::cancel, CancelRequest.of(byId(call)))),
        Route.post("/api/v1/messages/{id}/reschedule", Access.CONSUME)
            .summary("Make a message visible at another time; a leased one leaves its lease")
            .auditedInside("reschedule")
            .asking(Authority.CALLER, Authority.SERVER)
            .body(RESCHEDULE)
            .answers("rescheduled", MOVED, MessageRoutes::reschedule),
        Route.get("/api/v1/messages/{id}/explain")
            .summary("Where a message is, and why it is not being delivered")
            .answers(
                "there is such a message", DETAIL, call -> call.ask(Broker::message, byId(call))));
  }

  private static MessageDetail find(Call call) {
    Result<MessageDetail> found =
        call.broker()
            .message(
                new MessageRef.InPartition(
                    PartitionIds.number(call.part("partitionId")), call.part("transactionId")));
    if (!found.isOk() && found.refusal().code() == ErrorCode.NOT_FOUND) {
      throw Problem.notFound("Message not found");
    }
    return Refusals.orThrow(found);
  }

  private static MessageDetailJson show(Call call) {
    MessageDetail detail = find(call);
    QueueOptions options = call.ask(Broker::queue, detail.message().queue()).options();
    return MessageDetailJson.of(detail, options, call.nowMs());
  }

  private static Changed cancel(Call call) {
    Message message = find(call).message();
    call.ask(Broker::cancel, CancelRequest.of(MessageRef.id(message.id())));
    return new Changed(message, List.of(), "cancelled");
  }

  private static Changed retry(Call call) {
    String only = call.jsonOrEmpty(RETRY).find(GROUP);
    MessageDetail detail = find(call);
    List<String> groups = groups(detail, only, Set.of(MessageState.DEAD));
    if (groups.isEmpty()) {
      throw wrongState("only a dead letter can be retried", detail);
    }
    Message message = detail.message();
    DeadLetterFilter filter =
        new DeadLetterFilter(message.queue(), only, null, message.id(), null, 0, Long.MAX_VALUE);
    if (call.ask(Broker::requeue, RequeueRequest.of(filter)).count() == 0) {
      throw wrongState("it was a dead letter a moment ago, and is none now", detail);
    }
    return new Changed(message, groups, "moved");
  }

  private static Changed kill(Call call) {
    Values in = call.jsonOrEmpty(KILL);
    MessageDetail detail = find(call);
    Message message = detail.message();
    List<String> groups =
        groups(detail, in.find(GROUP), Set.of(MessageState.IN_FLIGHT, MessageState.RETURNED));
    if (groups.isEmpty()) {
      throw wrongState(
          "only a message that is in flight or came back can be made a dead letter", detail);
    }
    List<Settle> kills =
        groups.stream()
            .map(group -> Settle.unfenced(group, message.id(), Outcome.KILL, in.find(ERROR)))
            .toList();
    List<SettleVerdict> verdicts = call.ask(Broker::settle, SettleRequest.atomic(kills)).verdicts();
    for (SettleVerdict verdict : verdicts) {
      if (!verdict.applied() && verdict.status() != SettleVerdict.Status.NOT_APPLIED) {
        String why = String.valueOf(AckAnswer.error(verdict.status()));
        throw Problem.of(409, verdict.code().name(), why);
      }
    }
    return new Changed(message, groups, AckAnswer.word(verdicts.getFirst().status()));
  }

  /** The groups that see a message in one of some states. */
  private static List<String> groups(
      MessageDetail detail, @Nullable String only, Set<MessageState> states) {
    return detail.groups().stream()
        .filter(view -> only == null || only.equals(view.group()))
        .filter(view -> states.contains(view.state()))
        .map(GroupView::group)
        .toList();
  }

  private static Problem wrongState(String why, MessageDetail detail) {
    return Problem.of(409, ErrorCode.WRONG_STATE.name(), why + ". " + detail.explain());
  }

  private static Moved reschedule(Call call) {
    MessageRef message = byId(call);
    Values in = call.json(RESCHEDULE);
    Long delayMs = in.find(DELAY);
    long visibleAtMs = delayMs == null ? in.get(VISIBLE_AT) : call.nowMs() + delayMs;
    return call.ask(Broker::reschedule, new RescheduleRequest(message, visibleAtMs));
  }

  /** The message that the path names by its id. */
  public static MessageRef.ById byId(Call call) {
    UUID id = Json.ID.parse(call.part("id"));
    if (id == null) {
      throw Problem.field("id", "expected " + Json.ID.expected() + ", but got none");
    }
    return new MessageRef.ById(id);
  }
}
