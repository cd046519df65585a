package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingAsyncBroker;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.testkit.BrokerContract;
import io.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The contract of a broker, on the leader of three nodes that follow one log. */
final class ReplicatedContractTest extends BrokerContract {
  private static final Keys KEYS = Keys.of(new byte[32]);
  private static final int FOLLOWERS = 2;
  private static final Duration POLL = Duration.ofMillis(1);

  private record Node(SharedLog.Node log, MemoryStore store, EmbeddedBroker broker) {}

  private SharedLog log = new SharedLog();
  private final List<Node> followers = new ArrayList<>();
  private @Nullable ManualClock clock;
  private @Nullable Node leader;

  @Override
  protected Broker start(ManualClock time) {
    clock = time;
    log = new SharedLog();
    for (int i = 0; i < FOLLOWERS; i++) {
      followers.add(open(new MemoryStore(), time));
    }
    return lead(open(new MemoryStore(), time));
  }

  @Override
  protected Broker restart() {
    if (leader == null || clock == null) {
      throw new IllegalStateException("nothing was started");
    }
    // The next leader catches up with time from the last command on, and this clock does not run.
    leader.broker.openSession().orThrow();
    leader.log.leave();
    leader.broker.close();
    return lead(open(leader.store.reopen(), clock));
  }

  private Broker lead(Node node) {
    leader = node;
    log.elect(node.log);
    soon(node.broker.replica()::isLeading);
    return new Leader(node);
  }

  private static void soon(Callable<Boolean> condition) {
    Awaitility.await().pollInterval(POLL).until(condition);
  }

  private Node open(MemoryStore store, ManualClock time) {
    SharedLog.Node node = log.node();
    EmbeddedBroker broker =
        EmbeddedBroker.openReplica(EngineConfig.inMemory().keys(KEYS), time, store, node);
    node.join(broker.replica());
    return new Node(node, store, broker);
  }

  /** The leader; at its end, all nodes must have the same rows. */
  private final class Leader extends ForwardingAsyncBroker {
    private final Node node;

    Leader(Node node) {
      super(node.broker);
      this.node = node;
    }

    @Override
    public void close() {
      node.broker.close();
      for (Node follower : followers) {
        soon(() -> follower.broker.replica().applied().equals(node.broker.replica().applied()));
        assertThat(StoreRowsText.of(follower.store)).isEqualTo(StoreRowsText.of(node.store));
        follower.broker.close();
      }
      followers.clear();
    }
  }
}
