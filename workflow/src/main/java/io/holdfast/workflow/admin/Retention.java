package io.holdfast.workflow.admin;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowException.Reason;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what has been kept long enough: flows that ended, and events whose flow never started.
 *
 * <p>A sweep is a bounded piece of work; the next one goes on where it stopped. Any number of
 * workers may sweep at the same time.
 *
 * <p>Thread: one at a time.
 */
public final class Retention {
  /** How long events wait for the start of their flow. */
  public static final long EARLY_MS = Duration.ofDays(7).toMillis();

  /** Most flows that one sweep looks at. */
  private static final int SWEEP_MAX = 500;

  private final FlowStore store;
  private final Removal removal;
  private final TimeSource time;
  private final long retentionMs;
  private @Nullable String endedAfter;
  private @Nullable String earlyAfter;

  /**
   * What sweeps flows.
   *
   * @param retentionMs how long a flow is kept after its end; 0 for ever
   */
  public Retention(FlowStore store, TimeSource time, long retentionMs) {
    this.store = store;
    this.removal = new Removal(store, new FlowLists(store), time);
    this.time = time;
    this.retentionMs = retentionMs;
  }

  /**
   * Deletes some of what is due.
   *
   * @return whether there is more to look at right now
   */
  public boolean sweep() {
    boolean moreEnded = retentionMs > 0 && sweepEnded();
    boolean moreEarly = sweepEarly();
    return moreEnded || moreEarly;
  }

  private boolean sweepEnded() {
    long beforeMs = time.wallMs() - retentionMs;
    String prefix = store.keys().endedPrefix();
    Page<StoredRecord> page = page(prefix, endedAfter);
    for (StoredRecord record : page.items()) {
      String[] parts = Keys.parts(record.key(), prefix);
      if (Long.parseLong(parts[0]) > beforeMs) {
        endedAfter = null;
        return false;
      }
      delete(parts[1]);
    }
    endedAfter = page.next();
    return endedAfter != null;
  }

  private Page<StoredRecord> page(String prefix, @Nullable String after) {
    return store.broker().records(new RecordsRequest(prefix, after, SWEEP_MAX)).orThrow();
  }

  private void delete(String id) {
    FlowRecord flow = store.flow(id);
    if (flow == null || isNeeded(flow)) {
      return;
    }
    try {
      removal.delete(List.of(id), DeleteOptions.WITH_CHILDREN);
    } catch (FlowException refused) {
      if (refused.reason() != Reason.WRONG_STATUS && refused.reason() != Reason.NOT_FOUND) {
        throw refused;
      }
    }
  }

  /** Whether it may be retried with the flow that waited for it. */
  private boolean isNeeded(FlowRecord flow) {
    Parent parent = flow.parent();
    if (flow.status() == FlowStatus.COMPLETED || parent == null) {
      return false;
    }
    FlowRecord other = store.flow(parent.flow());
    return other != null && other.execution() == parent.execution();
  }

  private boolean sweepEarly() {
    long beforeMs = time.wallMs() - EARLY_MS;
    String prefix = store.keys().earlyPrefix();
    Page<StoredRecord> page = page(prefix, earlyAfter);
    for (StoredRecord record : page.items()) {
      long sinceMs = Long.parseLong(new String(record.value(), StandardCharsets.US_ASCII));
      String id = Keys.parts(record.key(), prefix)[0];
      if (sinceMs < beforeMs && store.flow(id) == null) {
        Result<Committed> result = store.commit(store.changes().forgetEarly(id, record.version()));
        if (!result.isOk() && result.refusal().code() != ErrorCode.WRONG_VERSION) {
          result.orThrow();
        }
      }
    }
    earlyAfter = page.next();
    return earlyAfter != null;
  }
}
