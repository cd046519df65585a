package io.holdfast.server.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.MessageDetailJson;
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
import org.jspecify.annotations.Nullable;

/** One message by its name: shows it, takes it back, retries it, gives it up. */
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
            .answers("it is a dead letter", CHANGED, MessageRoutes::kill));
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
}
