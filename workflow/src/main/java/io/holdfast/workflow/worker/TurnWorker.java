package io.holdfast.workflow.worker;

import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.store.Fetched;
import io.holdfast.workflow.store.FetchedTurn;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the turns of flows: fetches those that have something to do, and runs each on a thread.
 *
 * <p>Thread: its own; the methods any.
 */
final class TurnWorker {
  private static final Logger LOG = LoggerFactory.getLogger(TurnWorker.class);

  /** Most flows of one fetch, so that a lease is not held up by many others. */
  private static final int FLOWS_MAX = 256;

  /** So many may also be in hand whose code has run, and whose turns are being stored. */
  private static final int STORING = 16;

  /**
   * So long a flow is left to the worker that had its last turn, and so probably has it in memory.
   * It costs flows of a dead worker this long, once; a worker that is alive asks again sooner.
   */
  private static final long STICKY_MS = 200;

  private final Tools tools;
  private final Commits commits;
  private final Leases leases;
  private final Slots slots;
  private final Slots inHand;
  private final AtomicInteger running = new AtomicInteger();
  private final Fetcher fetcher;

  TurnWorker(Tools tools, Leases leases) {
    this.tools = tools;
    this.commits = new Commits(tools.store(), Commits.Waiting.SLEEP, tools.config().turnLeaseMs());
    this.leases = leases;
    this.slots = new Slots(tools.config().turnSlots());
    this.inHand = new Slots(2 * tools.config().turnSlots() + STORING);
    this.fetcher = new Fetcher("flow-turns", this::fetch);
  }

  private void fetch() throws InterruptedException {
    int room = inHand.take(FLOWS_MAX);
    int free = 0;
    int used = 0;
    try {
      free = slots.take(room);
      used = begin(fetch(free));
    } finally {
      slots.give(free - used);
      inHand.give(room - used);
    }
  }

  private Fetched<FetchedTurn> fetch(int count) {
    FlowsConfig config = tools.config();
    long stickyMs = config.keptMax() > 0 ? STICKY_MS : 0;
    return tools
        .store()
        .fetchTurns(count, config.waitMs(), config.turnLeaseMs(), config.worker(), stickyMs);
  }

  private int begin(Fetched<FetchedTurn> fetched) {
    if (fetched.isEmpty()) {
      return 0;
    }
    int count = fetched.items().size();
    Leases.Held held = leases.renew(fetched.leaseId(), tools.config().turnLeaseMs(), count);
    running.addAndGet(count);
    for (FetchedTurn turn : fetched.items()) {
      Thread.ofVirtual().name("flow-turn").start(() -> take(turn, held));
    }
    return count;
  }

  /** Takes a turn. Its slot is free again when the code has run, and need not wait for the disk. */
  private void take(FetchedTurn turn, Leases.Held held) {
    try {
      tools.sticky().begin(turn.id());
    } catch (InterruptedException stopped) {
      LOG.debug("A turn of flow {} was not begun; it comes back when its lease ends.", turn.id());
      slots.give(1);
      over(held);
      return;
    }
    try {
      new Turn(tools, commits, turn)
          .run(
              () -> {
                tools.sticky().end(turn.id());
                over(held);
              });
    } catch (Error error) {
      LOG.error("A turn of flow {} failed; it comes back when its lease ends.", turn.id(), error);
    } finally {
      slots.give(1);
    }
  }

  private void over(Leases.Held held) {
    held.done();
    inHand.give(1);
    running.decrementAndGet();
  }

  /** How many turns run; the slots that a fetch has reserved do not count. */
  int busy() {
    return running.get();
  }

  void stop() {
    fetcher.stop();
  }

  void join(long ms) throws InterruptedException {
    fetcher.join(ms);
    if (!inHand.awaitIdle(ms)) {
      LOG.warn("{} turns were still running; they come back when their leases end.", busy());
    }
  }
}
