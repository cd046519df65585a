package io.holdfast.workflow.admin;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.history.TaskKind;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import io.holdfast.workflow.store.Loaded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One flow from near: what it waits for, and its family.
 *
 * <p>Thread: any.
 */
final class FlowViews {
  /** Most of what a flow has under way that is looked at. */
  private static final int WAITS_MAX = 100;

  private static final int TREE_DEPTH_MAX = 20;
  private static final int TREE_FLOWS_MAX = 1_000;

  private final FlowStore store;
  private final FlowLists lists;

  FlowViews(FlowStore store, FlowLists lists) {
    this.store = store;
    this.lists = lists;
  }

  FlowDetail detail(String id, Loaded loaded, FlowRecord flow) {
    History history = loaded.history();
    List<Waiting> waits = new ArrayList<>();
    SequencedMap<Long, Event> open =
        history == null || flow.isEnded() ? new TreeMap<>() : history.open();
    for (Map.Entry<Long, Event> task : open.entrySet()) {
      if (waits.size() == WAITS_MAX) {
        break;
      }
      waits.add(waiting(flow.executionId(id), task.getKey(), task.getValue()));
    }
    return new FlowDetail(
        FlowInfo.of(id, flow),
        waits,
        open.size(),
        loaded.length(),
        flow.isNew() ? 0 : flow.oldest(),
        arriving(id),
        loaded.unreadable());
  }

  private @Nullable Arriving arriving(String id) {
    BrowseRequest request =
        BrowseRequest.queue(store.keys().turns())
            .partition(id)
            .states(MessageState.WAITING, MessageState.RETURNED, MessageState.IN_FLIGHT)
            .limit(Arriving.COUNT_MAX);
    Result<Page<BrowsedMessage>> found = store.broker().browse(request);
    if (!found.isOk() && found.refusal().code() == ErrorCode.NOT_FOUND) {
      return null;
    }
    List<BrowsedMessage> messages = found.orThrow().items();
    return messages.isEmpty()
        ? null
        : new Arriving(
            messages.size(),
            messages.getFirst().message().createdMs(),
            messages.stream().anyMatch(one -> one.state() == MessageState.IN_FLIGHT));
  }

  private Waiting waiting(ExecutionId id, long task, Event begun) {
    String name = "";
    String tag = Activity.NO_TAG;
    long dueMs = 0;
    Waiting.Order order = null;
    String sub = null;
    FlowStatus subStatus = null;
    switch (begun) {
      case Event.CallScheduled e -> {
        name = e.activity();
        tag = e.tag();
        order = order(id, task, tag);
      }
      case Event.TimerSet e -> {
        name = Duration.ofMillis(e.forMs()).toString();
        dueMs = e.timeMs() + e.forMs();
      }
      case Event.EventAwaited e -> name = e.name();
      case Event.SubStarted e -> {
        name = e.name();
        sub = e.flow();
        FlowRecord other = store.flow(sub);
        subStatus = other == null ? null : other.status();
      }
      default -> {}
    }
    return new Waiting(
        task, TaskKind.of(begun), name, tag, begun.timeMs(), dueMs, order, sub, subStatus);
  }

  private Waiting.@Nullable Order order(ExecutionId id, long task, String tag) {
    Result<MessageDetail> found =
        store
            .broker()
            .message(
                MessageRef.named(
                    store.keys().work(tag),
                    Keys.workPartition(id.flow()),
                    Keys.workName(id, task)));
    if (!found.isOk()) {
      if (found.refusal().code() == ErrorCode.NOT_FOUND) {
        return null;
      }
      found.orThrow();
    }
    MessageDetail message = found.orThrow();
    if (message.groups().isEmpty()) {
      return new Waiting.Order(MessageState.WAITING, 0, 0, null, 0, 0, null, message.explain());
    }
    MessageDetail.GroupView view = message.groups().getFirst();
    if (view.state() == MessageState.SETTLED) {
      return null;
    }
    List<Attempt> attempts = view.attempts();
    return new Waiting.Order(
        view.state(),
        view.failures(),
        view.expiries(),
        view.worker(),
        view.leaseUntilMs(),
        view.visibleAtMs(),
        attempts.isEmpty() ? null : attempts.getLast().error(),
        view.explain());
  }

  FlowTree tree(String id, FlowRecord flow) {
    return tree(id, flow, 1, new int[] {TREE_FLOWS_MAX - 1});
  }

  private FlowTree tree(String id, FlowRecord flow, int depth, int[] left) {
    List<FlowTree> children = new ArrayList<>();
    boolean cut = false;
    String after = null;
    do {
      boolean deeper = depth < TREE_DEPTH_MAX && left[0] > 0;
      int most = deeper ? Math.min(left[0] + 1, Limits.PAGE_MAX) : 1;
      Page<String> page = lists.children(id, after, most);
      for (String child : page.items()) {
        FlowRecord record = store.flow(child);
        if (record == null) {
          continue;
        }
        if (!deeper || left[0] == 0) {
          cut = true;
          break;
        }
        left[0]--;
        children.add(tree(child, record, depth + 1, left));
      }
      after = page.next();
    } while (after != null && !cut);
    return new FlowTree(FlowInfo.of(id, flow), children, cut);
  }
}
