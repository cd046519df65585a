package io.holdfast.workflow.admin;

import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowException.Reason;
import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes many flows that have ended, each with its children.
 *
 * <p>A flow on which another one waited is left to that one, as long as it exists.
 *
 * <p>Thread: one.
 */
final class BulkPurge {
  /** Most flows that one purge looks at. */
  private static final int LOOKED_MAX = 100_000;

  private final FlowStore store;
  private final FlowLists lists;
  private final Removal removal;
  private final PurgeFilter filter;
  private final boolean dryRun;
  private int matched;
  private int deleted;
  private int kept;

  BulkPurge(FlowStore store, FlowLists lists, Removal removal, PurgeFilter filter, boolean dryRun) {
    this.store = store;
    this.lists = lists;
    this.removal = removal;
    this.filter = filter;
    this.dryRun = dryRun;
  }

  Purged run() {
    FlowQuery query =
        FlowQuery.all().status(filter.asked()).name(filter.name()).limit(Limits.PAGE_MAX);
    String after = null;
    int looked = 0;
    do {
      Page<FlowLine> page = lists.list(query.after(after));
      looked += page.items().size();
      for (FlowLine line : page.items()) {
        if (!isMatch(line)) {
          continue;
        }
        if (matched == filter.limit()) {
          return new Purged(matched, deleted, kept, true);
        }
        matched++;
        delete(line.id());
      }
      after = page.next();
    } while (after != null && looked < LOOKED_MAX);
    return new Purged(matched, deleted, kept, after != null);
  }

  private boolean isMatch(FlowLine line) {
    return (filter.endedBeforeMs() == 0 || line.sinceMs() < filter.endedBeforeMs())
        && (!line.hasParent() || isOrphan(line.id()));
  }

  private boolean isOrphan(String id) {
    FlowRecord flow = store.flow(id);
    return flow != null && !hasParent(store, flow);
  }

  /** Whether the flow that waited for it exists. */
  static boolean hasParent(FlowStore store, FlowRecord flow) {
    @Nullable Parent parent = flow.parent();
    return parent != null && store.flow(parent.flow()) != null;
  }

  private void delete(String id) {
    if (dryRun) {
      return;
    }
    try {
      deleted += removal.delete(List.of(id), DeleteOptions.WITH_CHILDREN);
    } catch (FlowException refused) {
      if (refused.reason() == Reason.WRONG_STATUS) {
        kept++;
      } else if (refused.reason() != Reason.NOT_FOUND) {
        throw refused;
      }
    }
  }
}
