package io.holdfast.json.objects;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message and its state for each group, as JSON.
 *
 * <p>The id of the lease that holds it is left out: a client that has it may settle under it.
 *
 * @param chosen the group whose state stands for all; null if the queue has none
 */
public record MessageDetailJson(
    MessageDetail detail, QueueOptions options, long nowMs, @Nullable GroupView chosen) {
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

  private static final JsonType<GroupView> GROUP =
      JsonObject.of(GroupView.class)
          .text("name", GroupView::group, "The group.")
          .flag("consumed", MessageDetailJson::isConsumed, "Whether it settled the message.")
          .field("status", MessageJson.STATUS, GroupView::state, "Where it is for this group.")
          .field("state", MessageJson.STATE, GroupView::state, "The same in finer words.")
          .whole("retryCount", GroupView::failures, "How often it failed.")
          .whole("expiries", GroupView::expiries, "How often its lease expired.")
          .timeOrNull("visibleAt", GroupView::visibleAtMs, "When it may be delivered, or null.")
          .textOrNull("worker", GroupView::worker, "Who holds it, or null.")
          .timeOrNull("leaseExpiresAt", GroupView::leaseUntilMs, "Until when, or null.")
          .text("explain", GroupView::explain, "Why it is not delivered.")
          .list("attempts", MessageJson.ATTEMPT, GroupView::attempts, "Failed deliveries.")
          .type();

  private static final JsonType<List<GroupView>> BUS =
      new JsonObject<List<GroupView>>()
          .whole(
              "consumedBy",
              named -> named.stream().filter(MessageDetailJson::isConsumed).count(),
              "Number of them that settled it.")
          .whole("totalGroups", List::size, "Number of named groups.")
          .type();

  public static final JsonType<MessageDetailJson> TYPE =
      JsonObject.of(MessageDetailJson.class)
          .include(MessageJson.IDENTITY, MessageDetailJson::message)
          .timeOrNull(
              "visibleAt",
              from -> from.message().visibleMs(),
              "When it entered, or will enter, its lane.")
          .text("namespace", from -> from.options.text(QueueOption.NAMESPACE), "Of its queue.")
          .text("task", from -> from.options.text(QueueOption.TASK), "Of its queue.")
          .whole(
              "queuePriority", from -> from.options.number(QueueOption.PRIORITY), "Of its queue.")
          .field(
              "status",
              MessageJson.STATUS,
              MessageDetailJson::state,
              "Where it is, for the group that has most to do.")
          .field("state", MessageJson.STATE, MessageDetailJson::state, "The same in finer words.")
          .whole(
              "retryCount",
              from -> from.chosen == null ? 0 : from.chosen.failures(),
              "How often it failed there.")
          .textOrNull("errorMessage", MessageDetailJson::error, "What went wrong last, or null.")
          .timeOrNull(
              "leaseExpiresAt",
              from -> from.chosen == null ? 0 : from.chosen.leaseUntilMs(),
              "Until when it is held, or null.")
          .flag(
              "isEncrypted",
              from -> from.message().seal() != null,
              "Whether its payload is encrypted at rest.")
          .textOrNull("keyId", MessageDetailJson::keyId, "Under which key, or null.")
          .payload("payload", MessageDetailJson::message, "The payload, byte for byte.")
          .payload("data", MessageDetailJson::message, "The same.")
          .include(MessageJson.HEADERS, MessageDetailJson::message)
          .text(
              "explain", from -> from.detail.explain(), "Where it is, and why it is not delivered.")
          .field(
              "queueConfig", config(), MessageDetailJson::options, "The options that matter to it.")
          .field("mode", MessageJson.MODE, MessageDetailJson::groups, "Who reads its queue.")
          .field(
              "busStatus", BUS, MessageDetailJson::named, "How many named groups are done with it.")
          .list("consumerGroups", GROUP, from -> from.detail.groups(), "How each group sees it.")
          .type();

  private static JsonType<QueueOptions> config() {
    JsonObject<QueueOptions> config = new JsonObject<>();
    for (QueueOption option : CONFIG) {
      config.whole(option.wireName(), options -> options.number(option), option.explanation());
    }
    return config.type();
  }

  public static MessageDetailJson of(MessageDetail detail, QueueOptions options, long nowMs) {
    return new MessageDetailJson(detail, options, nowMs, chosen(detail.groups()));
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

  private Message message() {
    return detail.message();
  }

  private MessageState state() {
    if (chosen != null) {
      return chosen.state();
    }
    return message().visibleMs() > nowMs ? MessageState.DELAYED : MessageState.WAITING;
  }

  private @Nullable String error() {
    return chosen == null || chosen.attempts().isEmpty()
        ? null
        : chosen.attempts().getLast().error();
  }

  private @Nullable String keyId() {
    return message().seal() == null ? null : message().seal().keyId();
  }

  private List<String> groups() {
    return detail.groups().stream().map(GroupView::group).toList();
  }

  private List<GroupView> named() {
    return detail.groups().stream()
        .filter(view -> !view.group().equals(PopRequest.QUEUE_MODE))
        .toList();
  }

  private static boolean isConsumed(GroupView view) {
    return view.state() == MessageState.SETTLED;
  }
}
