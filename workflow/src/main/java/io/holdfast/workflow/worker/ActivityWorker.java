package io.holdfast.workflow.worker;

import io.holdfast.api.TimerThread;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.message.Position;
import io.holdfast.workflow.store.Fetched;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the activities of one tag: fetches them, and runs each on a thread.
 *
 * <p>Thread: its own; the methods any.
 */
final class ActivityWorker {
  private static final Logger LOG = LoggerFactory.getLogger(ActivityWorker.class);

  /** Most activities of one fetch, so that other workers get some as well. */
  private static final int COUNT_MAX = 256;

  private final Tools tools;
  private final String tag;
  private final Results results;
  private final Leases leases;
  private final TimerThread timer;
  private final Room room;
  private final Set<Attempt> running = ConcurrentHashMap.newKeySet();
  private final Fetcher fetcher;

  ActivityWorker(Tools tools, String tag, Leases leases, TimerThread timer) {
    this.tools = tools;
    this.tag = tag;
    Commits commits =
        new Commits(tools.store(), Commits.Waiting.SLEEP, tools.config().workLeaseMs());
    this.results = new Results(tools.store(), commits);
    this.leases = leases;
    this.timer = timer;
    this.room = new Room(tools.config().workSlots());
    this.fetcher = new Fetcher("flow-work" + (tag.isEmpty() ? "" : "-" + tag), this::fetch);
  }

  private void fetch() throws InterruptedException {
    int free = room.take(COUNT_MAX);
    int used = 0;
    try {
      Fetched<Delivery> fetched =
          tools
              .store()
              .fetchWork(
                  tag,
                  free,
                  tools.config().waitMs(),
                  tools.config().workLeaseMs(),
                  tools.config().worker());
      if (!fetched.isEmpty()) {
        used = begin(fetched);
      }
    } finally {
      room.give(free - used);
    }
  }

  private int begin(Fetched<Delivery> fetched) {
    Map<Position, Attempt> attempts = new HashMap<>();
    for (Delivery delivery : fetched.items()) {
      attempts.put(delivery.message().position(), new Attempt(tools, results, timer, delivery));
    }
    Leases.Held held =
        leases.watch(
            fetched.leaseId(),
            tools.config().workLeaseMs(),
            attempts.size(),
            cancelled -> cancel(attempts, cancelled),
            () -> attempts.values().forEach(Attempt::leaseLost));
    running.addAll(attempts.values());
    for (Attempt attempt : attempts.values()) {
      attempt.then(
          () -> {
            if (running.remove(attempt)) {
              held.done();
              room.give(1);
            }
          },
          () -> room.abandon(attempt));
      room.add(attempt);
    }
    return attempts.size();
  }

  private static void cancel(Map<Position, Attempt> attempts, List<Position> cancelled) {
    for (Position position : cancelled) {
      Attempt attempt = attempts.get(position);
      if (attempt != null) {
        attempt.cancel();
      }
    }
  }

  /**
   * How many activities run, those included that did not end when they were interrupted; the slots
   * that a fetch has reserved do not count.
   */
  int busy() {
    return running.size() + room.abandoned();
  }

  void stop() {
    fetcher.stop();
  }

  /** Interrupts what is being done, as if the worker were no more. */
  void interrupt() {
    running.forEach(Attempt::giveBack);
  }

  /** Waits for what is being done; what takes longer is interrupted and given back. */
  void join(long ms) throws InterruptedException {
    fetcher.join(FlowWorker.DRAIN_MS);
    if (!room.awaitIdle(ms)) {
      LOG.info("{} activities are given back, because the worker stops.", busy());
      running.forEach(Attempt::giveBack);
      room.awaitIdle(FlowWorker.DRAIN_MS);
    }
  }
}
