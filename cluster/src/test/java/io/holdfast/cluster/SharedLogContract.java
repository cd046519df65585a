package io.holdfast.cluster;

import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.cluster.raft.NodeAddress;
import io.holdfast.testkit.BrokerContract;
import io.holdfast.testkit.ManualClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of a broker, on three nodes whose entries Ratis orders. Each test has brokers of its
 * own; the logs continue.
 */
abstract class SharedLogContract extends BrokerContract {
  private static final List<SharedLogNode> NODES = new ArrayList<>();

  private final boolean onLeader;
  private @Nullable ManualClock clock;

  SharedLogContract(boolean onLeader) {
    this.onLeader = onLeader;
  }

  @BeforeAll
  static void startLogs(@TempDir Path directory) {
    List<NodeAddress> addresses = TestNodes.addresses(3);
    addresses.forEach(one -> NODES.add(new SharedLogNode(directory, one.name(), addresses)));
  }

  @AfterAll
  static void closeLogs() {
    NODES.forEach(SharedLogNode::close);
    NODES.clear();
  }

  @Override
  protected Broker start(ManualClock time) {
    clock = time;
    return open(false);
  }

  @Override
  protected Broker restart() {
    // The next leader catches up with time from the last command on, and this clock does not run.
    leader().broker(() -> {}).openSession().orThrow();
    closeBrokers();
    return open(true);
  }

  private Broker open(boolean again) {
    ManualClock time = clock;
    if (time == null) {
      throw new IllegalStateException("nothing was started");
    }
    NODES.forEach(node -> node.open(time, again));
    await().until(() -> NODES.stream().filter(SharedLogNode::isLeading).count() == 1);
    SharedLogNode asked =
        NODES.stream().filter(node -> node.isLeading() == onLeader).findFirst().orElseThrow();
    return asked.broker(SharedLogContract::closeBrokers);
  }

  private static SharedLogNode leader() {
    return NODES.stream().filter(SharedLogNode::isLeading).findFirst().orElseThrow();
  }

  private static void closeBrokers() {
    NODES.forEach(SharedLogNode::leave);
    NODES.forEach(SharedLogNode::closeBroker);
  }
}
