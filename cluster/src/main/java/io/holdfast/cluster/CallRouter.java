package io.holdfast.cluster;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.TimerThread;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.cluster.raft.Member;
import io.holdfast.engine.Replica;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the broker that leads: the one of this node, or another over the network.
 *
 * <p>Thread: any.
 */
final class CallRouter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CallRouter.class);

  /** How often calls that wait for a leader are looked at. */
  private static final Duration TICK = Duration.ofMillis(10);

  /** How long a former leader may take to refuse the calls that it has. */
  private static final Duration FORMER_LEADER_GRACE = Duration.ofMillis(300);

  private static final ThreadFactory THREADS = Thread.ofVirtual().name("holdfast-routed").factory();

  /** The broker of this node itself. */
  final Broker own;

  /** The clock by which calls wait. */
  final TimeSource time;

  /** How long a call waits for a leader. */
  final Duration patience;

  private final Replica replica;
  private final String self;
  private final PeerConnections peers;
  private final TimerThread timer;

  /** Calls that wait for a leader, and when they may be tried again. */
  private final Map<RoutedCall<?, ?>, Long> waiting = new ConcurrentHashMap<>();

  private final AtomicBoolean ticking = new AtomicBoolean();
  private volatile @Nullable Member leader;
  private volatile boolean closed;

  /**
   * @param self the id of this node
   */
  CallRouter(
      Broker own,
      Replica replica,
      TimeSource time,
      Duration patience,
      String self,
      PeerConnections peers) {
    this.own = own;
    this.replica = replica;
    this.time = time;
    this.patience = patience;
    this.self = self;
    this.peers = peers;
    this.timer =
        new TimerThread(
            TimeSource.SYSTEM,
            "holdfast-cluster-timer",
            failure -> LOG.error("A call that waits for a leader failed.", failure));
  }

  boolean isLeading() {
    return replica.isLeading();
  }

  boolean isClosed() {
    return closed;
  }

  /** Asks the leader without blocking; null if there is none. */
  <I, O> @Nullable AsyncResult<O> ask(Verb<I, O> verb, I request) {
    if (isLeading()) {
      return verb.isAsync()
          ? verb.askAsync(own, request)
          : AsyncResult.onThread(THREADS, () -> verb.ask(own, request));
    }
    Member other = leader;
    return other == null || other.id().equals(self) ? null : peers.to(other).ask(verb, request);
  }

  /** Tries a call again after a time, and as soon as there is a leader. */
  void again(RoutedCall<?, ?> call, long notBeforeNanos) {
    waiting.put(call, notBeforeNanos);
    tickSoon();
  }

  private void tickSoon() {
    if (closed) {
      wake();
    } else if (ticking.compareAndSet(false, true)) {
      timer.after(TICK, this::tick);
    }
  }

  private void tick() {
    ticking.set(false);
    long now = System.nanoTime();
    boolean left = false;
    for (Map.Entry<RoutedCall<?, ?>, Long> one : List.copyOf(waiting.entrySet())) {
      if (one.getKey().isDone()) {
        waiting.remove(one.getKey());
      } else if (now - one.getValue() >= 0) {
        resume(one.getKey());
      } else {
        left = true;
      }
    }
    if (left) {
      tickSoon();
    }
  }

  private void resume(RoutedCall<?, ?> call) {
    if (waiting.remove(call) != null) {
      THREADS.newThread(call::attempt).start();
    }
  }

  /** Tries all calls that wait at once. */
  void wake() {
    waiting.keySet().forEach(this::resume);
  }

  /** There is another leader, or none. Calls at the former one are given up after a grace. */
  void leaderChanged(@Nullable Member now) {
    if (closed || Objects.equals(now, leader)) {
      return;
    }
    leader = now;
    timer.after(FORMER_LEADER_GRACE, this::leaveFormerLeaders);
    if (now != null) {
      timer.after(Duration.ZERO, this::wake);
    }
  }

  private void leaveFormerLeaders() {
    Member now = leader;
    if (now != null) {
      peers.leaveAllBut(now.id().equals(self) ? null : now);
    }
  }

  /** The leader, as far as this node knows. */
  @Nullable Member leader() {
    return leader;
  }

  /** Releases what a pop took for nobody. If that fails, it returns when the lease expires. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void giveBack(PopRequest request, Popped popped) {
    new RoutedCall<>(this, Verbs.SETTLE, request.release(popped)).attempt();
  }

  /** Calls that wait are refused; the broker of this node is not closed. */
  @Override
  public void close() {
    closed = true;
    wake();
    timer.close();
  }
}
