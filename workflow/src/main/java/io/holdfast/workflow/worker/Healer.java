package io.holdfast.workflow.worker;

import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.workflow.BlockCause;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Verified;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowQuery;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets blocked flows go on that the code of a new worker fits, so that a deploy heals them.
 *
 * <p>Those of which workers died are left to people: they would kill this one as well.
 *
 * <p>Thread: one; {@link #stop} and {@link #isEnded} any.
 */
final class Healer {
  private static final Logger LOG = LoggerFactory.getLogger(Healer.class);

  /** The name of the message, so that many workers that start together send it once. */
  private static final String NAME = "heal";

  private final FlowStore store;
  private final FlowsConfig config;
  private final Verifier verifier;
  private volatile boolean stopped;
  private volatile boolean ended;

  Healer(FlowStore store, Registry registry, FlowsConfig config) {
    this.store = store;
    this.config = config;
    this.verifier = new Verifier(store, registry, config);
  }

  void run() {
    try {
      int healed = heal();
      if (healed > 0) {
        LOG.info("{} blocked flows fit the code of this worker; they go on.", healed);
      }
    } catch (RuntimeException trouble) {
      if (stopped) {
        return;
      }
      LOG.warn("Blocked flows could not be looked at; retry them by hand.", trouble);
    } finally {
      ended = true;
    }
  }

  /** Whether all blocked flows have been looked at, or will not be. */
  boolean isEnded() {
    return ended;
  }

  /** The worker closes: what is left is for another one. */
  void stop() {
    stopped = true;
  }

  private int heal() {
    FlowAdmin admin = new FlowAdmin(store, config.time());
    FlowQuery query = FlowQuery.all().status(FlowStatus.BLOCKED).limit(Limits.PAGE_MAX);
    int healed = 0;
    String after = null;
    do {
      Page<FlowLine> page = admin.list(query.after(after));
      for (FlowLine line : page.items()) {
        if (stopped) {
          return healed;
        }
        if (isHealed(line.id())) {
          store
              .commit(store.changes().sendOnce(line.id(), NAME, new TurnMessage.Retry(-1)))
              .orThrow();
          healed++;
        }
      }
      after = page.next();
    } while (after != null);
    return healed;
  }

  private boolean isHealed(String id) {
    FlowRecord flow = store.flow(id);
    if (flow == null
        || flow.status() != FlowStatus.BLOCKED
        || flow.cause() == BlockCause.WORKERS_DIED) {
      return false;
    }
    Verified verified = verifier.check(id);
    return verified != null && verified.isFine();
  }
}
