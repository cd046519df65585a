package io.holdfast.workflow.admin;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import io.holdfast.workflow.store.Summary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lists of flows, read from the records that are kept for them.
 *
 * <p>A list is as of when each page is read: a flow that changes its status between two pages may
 * be in both or in none.
 *
 * <p>Thread: any.
 */
final class FlowLists {
  private final FlowStore store;

  FlowLists(FlowStore store) {
    this.store = store;
  }

  Page<FlowLine> list(FlowQuery query) {
    String token = query.after();
    String after = token == null ? null : key(token);
    List<FlowLine> lines = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (FlowStatus status : query.asked()) {
      if (after != null && !after.startsWith(store.keys().statusPrefix(status))) {
        continue;
      }
      String first = after;
      after = null;
      // One more than asked for tells whether there is another page.
      read(status, query.name(), first, query.limit() + 1 - lines.size(), lines, keys);
      if (lines.size() > query.limit()) {
        return new Page<>(lines.subList(0, query.limit()), token(keys.get(query.limit() - 1)));
      }
    }
    if (after != null) {
      throw unknownAfter();
    }
    return new Page<>(lines, null);
  }

  private void read(
      FlowStatus status,
      @Nullable String name,
      @Nullable String after,
      int count,
      List<FlowLine> lines,
      List<String> keys) {
    String all = store.keys().statusPrefix(status);
    String prefix = name == null ? all : store.keys().statusPrefix(status, name);
    if (after != null && !after.startsWith(prefix)) {
      throw unknownAfter();
    }
    String from = after;
    int left = count;
    while (left > 0) {
      Page<StoredRecord> page = page(prefix, from, left);
      for (StoredRecord record : page.items()) {
        lines.add(line(status, all, record));
        keys.add(record.key());
      }
      left -= page.items().size();
      from = page.next();
      if (from == null) {
        return;
      }
    }
  }

  private Page<StoredRecord> page(String prefix, @Nullable String after, int count) {
    return store
        .broker()
        .records(new RecordsRequest(prefix, after, Math.min(count, Limits.PAGE_MAX)))
        .orThrow();
  }

  private static FlowLine line(FlowStatus status, String prefix, StoredRecord record) {
    String[] parts = Keys.parts(record.key(), prefix);
    Summary summary = Summary.FORM.read(record.value());
    return new FlowLine(
        parts[1],
        parts[0],
        status,
        summary.version(),
        summary.createdMs(),
        summary.sinceMs(),
        summary.hasParent());
  }

  private String token(String key) {
    String rest = key.substring(store.keys().statusPrefix().length());
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(rest.getBytes(StandardCharsets.UTF_8));
  }

  private String key(String token) {
    try {
      return store.keys().statusPrefix()
          + new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw unknownAfter();
    }
  }

  private static InvalidArgumentException unknownAfter() {
    return new InvalidArgumentException(
        "after: expected the next of a page of the same list, but it is something else");
  }

  /** The ids of those that a flow started and waited for. */
  Page<String> children(String id, @Nullable String after, int limit) {
    String prefix = store.keys().childPrefix(id);
    Page<StoredRecord> page =
        page(prefix, after == null ? null : store.keys().child(id, after), limit);
    List<String> ids =
        page.items().stream().map(record -> Keys.parts(record.key(), prefix)[0]).toList();
    return new Page<>(ids, page.next() == null ? null : ids.getLast());
  }

  FlowCounts counts(long most) {
    Map<FlowStatus, Long> counts = new EnumMap<>(FlowStatus.class);
    boolean exact = true;
    for (FlowStatus status : FlowStatus.values()) {
      String prefix = store.keys().statusPrefix(status);
      long count = 0;
      String after = null;
      do {
        Page<StoredRecord> page = page(prefix, after, Limits.PAGE_MAX);
        count += page.items().size();
        after = page.next();
      } while (after != null && count < most);
      exact &= after == null;
      counts.put(status, count);
    }
    return new FlowCounts(counts, exact);
  }

  List<Overview.Depth> depths() {
    List<Overview.Depth> depths = new ArrayList<>();
    Result<QueueInfo> turns = store.broker().queue(store.keys().turns());
    if (turns.isOk()) {
      depths.add(new Overview.Depth(store.keys().turns(), null, turns.orThrow().counts()));
    } else if (turns.refusal().code() != ErrorCode.NOT_FOUND) {
      turns.orThrow();
    }
    String work = store.keys().work(Activity.NO_TAG);
    String after = null;
    do {
      Page<QueueInfo> page =
          store
              .broker()
              .queues(new QueuesRequest(work, null, null, after, Limits.PAGE_MAX))
              .orThrow();
      for (QueueInfo queue : page.items()) {
        if (queue.name().equals(work)) {
          depths.add(new Overview.Depth(work, Activity.NO_TAG, queue.counts()));
        } else if (queue.name().startsWith(work + ".")) {
          String tag = queue.name().substring(work.length() + 1);
          depths.add(new Overview.Depth(queue.name(), tag, queue.counts()));
        }
      }
      after = page.next();
    } while (after != null);
    return depths;
  }
}
