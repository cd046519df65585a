package io.holdfast.workflow.admin;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowException.Reason;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;

/**
 * Deletes the histories of executions that are over, of flows that continued as new; the current
 * one always stays.
 *
 * <p>Thread: any.
 */
final class Pruning {
  private static final int TRIES_MAX = 5;
  private static final int OPERATIONS_MAX = 1_000;

  private final FlowStore store;
  private final FlowLists lists;
  private final FlowHistory histories;

  Pruning(FlowStore store, FlowLists lists, FlowHistory histories) {
    this.store = store;
    this.lists = lists;
    this.histories = histories;
  }

  long prune(String id, int keepLast, long endedBeforeMs) {
    if (keepLast < 1) {
      throw new InvalidArgumentException("keepLast: expected 1 or more, but got " + keepLast);
    }
    long pruned = 0;
    for (int tries = 1; ; ) {
      StoredRecord record = store.record(id);
      FlowRecord flow = FlowStore.flow(record);
      if (flow == null) {
        throw new FlowException(Reason.NOT_FOUND, "there is no flow with the id " + id);
      }
      long oldest = flow.oldest();
      long end = Math.min(flow.execution() - keepLast + 1, oldest + OPERATIONS_MAX);
      String version = flow.version();
      Changes changes = store.changes();
      long forgotten = 0;
      ExecutionId next = flow.executionId(id).withNumber(oldest);
      while (oldest < end && isBefore(next, endedBeforeMs)) {
        if (histories.isKept(next)) {
          changes.forget(next);
          forgotten++;
        }
        oldest++;
        next = next.withNumber(oldest);
      }
      if (oldest == flow.oldest() || version == null) {
        return pruned;
      }
      changes.replace(id, record.version(), flow.execution(flow.execution(), version, oldest));
      Result<Committed> result = store.commit(changes);
      if (result.isOk()) {
        pruned += forgotten;
      } else if (result.refusal().code() != ErrorCode.WRONG_VERSION || tries++ == TRIES_MAX) {
        result.orThrow();
      }
    }
  }

  private boolean isBefore(ExecutionId id, long endedBeforeMs) {
    if (endedBeforeMs == 0) {
      return true;
    }
    long endedMs = histories.endedMs(id);
    return endedMs < endedBeforeMs;
  }

  /** The same for all flows of a list, page by page. */
  long prune(FlowQuery which, int keepLast, long endedBeforeMs) {
    FlowQuery query = which.limit(Limits.PAGE_MAX);
    long pruned = 0;
    String after = which.after();
    do {
      Page<FlowLine> page = lists.list(query.after(after));
      for (FlowLine line : page.items()) {
        try {
          pruned += prune(line.id(), keepLast, endedBeforeMs);
        } catch (FlowException gone) {
          // Somebody deleted it meanwhile.
        }
      }
      after = page.next();
    } while (after != null);
    return pruned;
  }
}
