package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One message by its name: shows it, takes it back, retries it, gives it up. */
public final class MessageRoutes {
  private static final String PATH = "/api/v1/messages/{partitionId}/{transactionId}";

  private final Broker broker;
  private final LongSupplier nowMs;

  public MessageRoutes(Broker broker, LongSupplier nowMs) {
    this.broker = broker;
    this.nowMs = nowMs;
  }

  public List<Route> routes() {
    String topic = MessageListRoute.TOPIC;
    return List.of(
        Route.get(
                PATH,
                Access.READ,
                topic,
                "Show a message in whatever state, and why it is not being delivered",
                this::show)
            .answers(200, "the message", MessageDetailJson.SHAPE),
        Route.delete(
                PATH,
                Access.CONSUME,
                topic,
                "Take a message back for all groups, in whatever state",
                this::cancel)
            .auditedInside("cancel")
            .answers(200, "it is gone", CHANGED),
        Route.post(
                PATH + "/retry", Access.CONSUME, topic, "Deliver a dead letter again", this::retry)
            .auditedInside("requeue")
            .bodyIfAny(GroupBody.SHAPE)
            .answers(200, "it is back at its old place, with no failures", CHANGED),
        Route.post(
                PATH + "/dlq",
                Access.CONSUME,
                topic,
                "Make a message that is in flight or came back a dead letter",
                this::bury)
            .auditedInside("kill")
            .bodyIfAny(
                Shape.fields(
                    Shape.optional("error", Shape.TEXT, "Why."),
                    Shape.optional("consumerGroup", Shape.TEXT, "Only for this group.")))
            .answers(200, "it is a dead letter", CHANGED));
  }

  private static MessageRef named(Call call) {
    return new MessageRef.InPartition(
        PartitionIds.number(call.part("partitionId")), call.part("transactionId"));
  }

  private MessageDetail find(Call call) {
    Result<MessageDetail> found = broker.message(named(call));
    if (!found.isOk() && found.refusal().code() == ErrorCode.NOT_FOUND) {
      throw Problem.notFound("Message not found");
    }
    return Refusals.orThrow(found);
  }

  private Answer show(Call call) {
    MessageDetail detail = find(call);
    QueueOptions options = Refusals.orThrow(broker.queue(detail.message().queue())).options();
    JsonOut out = new JsonOut();
    MessageDetailJson.write(out, detail, options, nowMs.getAsLong());
    return Answer.ok(out);
  }

  private Answer cancel(Call call) {
    Message message = find(call).message();
    Refusals.orThrow(broker.cancel(CancelRequest.of(MessageRef.id(message.id()))));
    return changed(message, List.of(), "cancelled");
  }

  private Answer retry(Call call) {
    String only = GroupBody.of(call).group();
    MessageDetail detail = find(call);
    List<String> groups = groups(detail, only, Set.of(MessageState.DEAD));
    if (groups.isEmpty()) {
      throw wrongState("only a dead letter can be retried", detail);
    }
    Message message = detail.message();
    DeadLetterFilter filter =
        new DeadLetterFilter(message.queue(), only, null, message.id(), null, 0, Long.MAX_VALUE);
    if (Refusals.orThrow(broker.requeue(RequeueRequest.of(filter))).count() == 0) {
      throw wrongState("it was a dead letter a moment ago, and is none now", detail);
    }
    return changed(message, groups, "moved");
  }

  /** What a client says of a message it gives up. */
  private record Burial(@Nullable String error, @Nullable String group) {}

  private Answer bury(Call call) {
    Burial burial = call.hasBody() ? call.json(MessageRoutes::burial) : new Burial(null, null);
    MessageDetail detail = find(call);
    Message message = detail.message();
    List<String> groups =
        groups(detail, burial.group(), Set.of(MessageState.IN_FLIGHT, MessageState.RETURNED));
    if (groups.isEmpty()) {
      throw wrongState(
          "only a message that is in flight or came back can be made a dead letter", detail);
    }
    List<Settle> kills = new ArrayList<>();
    for (String group : groups) {
      kills.add(Settle.unfenced(group, message.id(), Outcome.KILL, burial.error()));
    }
    Settled settled = Refusals.orThrow(broker.settle(SettleRequest.atomic(kills)));
    for (SettleVerdict verdict : settled.verdicts()) {
      if (!verdict.applied() && verdict.status() != SettleVerdict.Status.NOT_APPLIED) {
        String why = String.valueOf(AckAnswer.error(verdict.status()));
        throw Problem.of(409, verdict.code().name(), why);
      }
    }
    return changed(message, groups, AckAnswer.word(settled.verdicts().getFirst().status()));
  }

  private static Burial burial(JsonIn in) {
    String error = null;
    String group = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "error" -> error = in.textOrNull();
        case "consumerGroup" -> group = in.textOrNull();
        default -> throw in.unknown("error", "consumerGroup");
      }
    }
    return new Burial(error, group);
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

  private static Answer changed(Message message, List<String> groups, String result) {
    String name = PopRoutes.nameOf(message);
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("result", result)
            .put("messageId", message.id().toString())
            .put("transactionId", name)
            .put("partitionId", PartitionIds.text(message.position().partition()))
            .put("queue", message.queue())
            .put("partition", message.partition())
            .beginArray("consumerGroups");
    groups.forEach(out::add);
    return Answer.ok(out.endArray().endObject());
  }

  private static final Shape CHANGED =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required(
              "result",
              Shape.words("cancelled", "moved", "failed_dlq", "failed_dropped"),
              "What became of it."),
          Shape.required("messageId", Shape.TEXT, "Its id."),
          Shape.required("transactionId", Shape.TEXT, "Its name, or else its id."),
          Shape.required("partitionId", Shape.TEXT, "Its partition, as acks name it."),
          Shape.required("queue", Shape.QUEUE, "Its queue."),
          Shape.required("partition", Shape.TEXT, "Its partition."),
          Shape.required(
              "consumerGroups", Shape.array(Shape.TEXT), "For which groups; empty for all."));
}
