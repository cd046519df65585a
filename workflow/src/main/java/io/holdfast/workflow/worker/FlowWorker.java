package io.holdfast.workflow.worker;

import io.holdfast.api.TimerThread;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.admin.Retention;
import io.holdfast.workflow.store.FlowStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that runs flows and activities in this process, with the code of a registry.
 *
 * <p>Thread: any.
 */
public final class FlowWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FlowWorker.class);

  /** How long what runs may take to end when the worker is closed. */
  static final long DRAIN_MS = 5_000;

  private final Sticky sticky;
  private final TimerThread timer;
  private final Leases leases;
  private final List<TurnWorker> turns = new ArrayList<>();
  private final List<ActivityWorker> activities = new ArrayList<>();
  private final Healer healer;
  private final Sweeper sweeper;

  public FlowWorker(
      FlowStore store, Registry registry, FlowsConfig config, FlowsListener listener) {
    Set<String> tags = new TreeSet<>(registry.tags());
    // Before the first thread: if the broker does not answer, nothing is left behind.
    store.prepare(tags);
    this.sticky = new Sticky(config.keptMax(), config.keptBytesMax());
    this.timer =
        new TimerThread(
            config.time(),
            "flow-timer",
            failure -> LOG.error("A timer task of the flow worker failed", failure));
    Tools tools = new Tools(store, registry, config, sticky, listener);
    this.leases = new Leases(store.broker(), timer, config.time());
    if (registry.hasFlows()) {
      turns.add(new TurnWorker(tools, leases));
    }
    for (String tag : tags) {
      activities.add(new ActivityWorker(tools, tag, leases, timer));
    }
    this.healer = new Healer(store, registry, config);
    Thread.ofVirtual().name("flow-healer").start(healer::run);
    this.sweeper = new Sweeper(new Retention(store, config.time(), config.retentionMs()), timer);
  }

  /** How many turns and activities run now. */
  public int busy() {
    return turns.stream().mapToInt(TurnWorker::busy).sum()
        + activities.stream().mapToInt(ActivityWorker::busy).sum();
  }

  /** Whether the worker still looks which blocked flows its code fits. */
  public boolean isHealing() {
    return !healer.isEnded();
  }

  /** How many calls to the broker wait for turns and activities while nothing runs. */
  public int fetchers() {
    return turns.size() + activities.size();
  }

  /** How many leases are being renewed or watched now. */
  public int renewing() {
    return leases.renewing();
  }

  /**
   * Drops all that is in memory and gives nothing back, as if the process had died; for tests. What
   * runs is asked to stop, and it is for the broker to refuse whatever it still tries.
   */
  public void kill(boolean interrupt) {
    turns.forEach(TurnWorker::stop);
    activities.forEach(ActivityWorker::stop);
    if (interrupt) {
      activities.forEach(ActivityWorker::interrupt);
    }
    timer.close();
    sticky.clear();
  }

  /** How many flows wait in memory. */
  public int kept() {
    return sticky.size();
  }

  @Override
  public void close() {
    close(DRAIN_MS);
  }

  /** Closes it; activities that run on for longer than that are interrupted and given back. */
  public void close(long activitiesMs) {
    healer.stop();
    sweeper.close();
    turns.forEach(TurnWorker::stop);
    activities.forEach(ActivityWorker::stop);
    try {
      for (TurnWorker worker : turns) {
        worker.join(DRAIN_MS);
      }
      for (ActivityWorker worker : activities) {
        worker.join(activitiesMs);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    timer.close();
    sticky.clear();
  }
}
