package io.holdfast.server.queen;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.Seal;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All there is to know about a message, in JSON.
 *
 * <p>The id of the lease that holds it is not told: whoever knows it may settle under it.
 */
final class MessageDetailJson {
  private static final List<QueueOption> CONFIG =
      List.of(
          QueueOption.LEASE_TIME,
          QueueOption.RETRY_LIMIT,
          QueueOption.RETRY_DELAY,
          QueueOption.TTL,
          QueueOption.PRIORITY);

  /** Which of a message's states stands for all, where no group is named: the first there is. */
  private static final List<MessageState> BY_WEIGHT =
      List.of(
          MessageState.DEAD,
          MessageState.IN_FLIGHT,
          MessageState.RETURNED,
          MessageState.WAITING,
          MessageState.DELAYED,
          MessageState.SETTLED);

  private MessageDetailJson() {}

  static void write(JsonOut out, MessageDetail detail, QueueOptions options, long nowMs) {
    Message message = detail.message();
    GroupView chosen = chosen(detail.groups());
    Seal seal = message.seal();
    MessageState state =
        chosen == null
            ? message.visibleMs() > nowMs ? MessageState.DELAYED : MessageState.WAITING
            : chosen.state();
    MessageJson.identity(out.beginObject(), message)
        .putTime("visibleAt", message.visibleMs())
        .put("namespace", options.text(QueueOption.NAMESPACE))
        .put("task", options.text(QueueOption.TASK))
        .put("queuePriority", options.number(QueueOption.PRIORITY))
        .put("status", MessageJson.status(state))
        .put("state", MessageJson.word(state))
        .put("retryCount", chosen == null ? 0 : chosen.failures())
        .put("errorMessage", chosen == null ? null : error(chosen))
        .putTime("leaseExpiresAt", chosen == null ? 0 : chosen.leaseUntilMs())
        .put("isEncrypted", seal != null)
        .put("keyId", seal == null ? null : seal.keyId())
        .putPayload("payload", message)
        .putPayload("data", message);
    MessageJson.headers(out, message).put("explain", detail.explain()).beginObject("queueConfig");
    for (QueueOption option : CONFIG) {
      out.putValue(option.wireName(), options.get(option));
    }
    out.endObject();
    groups(out, detail.groups());
    out.endObject();
  }

  private static @Nullable GroupView chosen(List<GroupView> groups) {
    GroupView chosen = null;
    for (GroupView view : groups) {
      if (view.group().equals(PopRequest.QUEUE_MODE)) {
        return view;
      }
      if (chosen == null || BY_WEIGHT.indexOf(view.state()) < BY_WEIGHT.indexOf(chosen.state())) {
        chosen = view;
      }
    }
    return chosen;
  }

  private static @Nullable String error(GroupView view) {
    return view.attempts().isEmpty() ? null : view.attempts().getLast().error();
  }

  private static void groups(JsonOut out, List<GroupView> groups) {
    MessageModes.write(out, groups.stream().map(GroupView::group).toList());
    List<GroupView> named =
        groups.stream().filter(view -> !view.group().equals(PopRequest.QUEUE_MODE)).toList();
    out.beginObject("busStatus")
        .put("consumedBy", named.stream().filter(MessageDetailJson::isConsumed).count())
        .put("totalGroups", named.size())
        .endObject()
        .beginArray("consumerGroups");
    for (GroupView view : groups) {
      out.beginObject()
          .put("name", view.group())
          .put("consumed", isConsumed(view))
          .put("status", MessageJson.status(view.state()))
          .put("state", MessageJson.word(view.state()))
          .put("retryCount", view.failures())
          .put("expiries", view.expiries())
          .putTime("visibleAt", view.visibleAtMs())
          .put("worker", view.worker())
          .putTime("leaseExpiresAt", view.leaseUntilMs())
          .put("explain", view.explain());
      MessageJson.attempts(out, view.attempts());
      out.endObject();
    }
    out.endArray();
  }

  private static boolean isConsumed(GroupView view) {
    return view.state() == MessageState.SETTLED;
  }

  static final Shape SHAPE =
      Shape.fields(
          MessageJson.IDENTITY,
          Shape.required("visibleAt", Shape.TIME, "When it entered, or will enter, its lane."),
          Shape.required("status", Shape.TEXT, "Where it is, for the group that has most to do."),
          Shape.required("state", Shape.TEXT, "The same in finer words."),
          Shape.required("retryCount", Shape.WHOLE, "How often it failed there."),
          Shape.required("errorMessage", Shape.TEXT, "What went wrong last, or null."),
          Shape.required("leaseExpiresAt", Shape.TIME, "Until when it is held, or null."),
          Shape.required("isEncrypted", Shape.FLAG, "Whether its payload is encrypted at rest."),
          Shape.required("keyId", Shape.orNull(Shape.TEXT), "Under which key, or null."),
          Shape.required("payload", Shape.ANY, "The payload, byte for byte."),
          Shape.required("data", Shape.ANY, "The same."),
          MessageJson.PROBLEM,
          Shape.required("explain", Shape.TEXT, "Where it is, and why it is not delivered."),
          Shape.required("queueConfig", Shape.OBJECT, "The options that matter to it."),
          Shape.required("mode", MessageModes.SHAPE, "Who reads its queue."),
          Shape.required("busStatus", Shape.OBJECT, "How many named groups are done with it."),
          Shape.required(
              "consumerGroups",
              Shape.array(
                  Shape.fields(
                      Shape.required("name", Shape.TEXT, "The group."),
                      Shape.required("consumed", Shape.FLAG, "Whether it settled the message."),
                      Shape.required("status", Shape.TEXT, "Where it is for this group."),
                      Shape.required("state", Shape.TEXT, "The same in finer words."),
                      Shape.required("retryCount", Shape.WHOLE, "How often it failed."),
                      Shape.required("expiries", Shape.WHOLE, "How often its lease expired."),
                      Shape.required("visibleAt", Shape.TIME, "When it may be delivered, or null."),
                      Shape.required("worker", Shape.TEXT, "Who holds it, or null."),
                      Shape.required("leaseExpiresAt", Shape.TIME, "Until when, or null."),
                      Shape.required("explain", Shape.TEXT, "Why it is not delivered."),
                      Shape.required(
                          "attempts", Shape.array(MessageJson.ATTEMPT), "Failed deliveries."))),
              "How each group sees it."));
}
