package io.holdfast.bench.cluster;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.client.remote.RemoteBroker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The steps of faults. Each of them makes sure that the fault took place, or fails.
 *
 * <p>Thread: one.
 */
final class FaultRun {
  private static final int DOWN_MS_MAX = 4_000;
  private static final String QUEUE = "while-away";
  private static final int MESSAGES = 1_000_000;
  private static final int BATCH = 1_000;
  private static final byte[] SMALL = new byte[100];

  /** More than the 1 GiB of log that a node keeps, in entries below 1 MiB. */
  private static final int LARGE_BATCHES = 1_250;

  private static final int LARGE_BATCH = 15;
  private static final byte[] LARGE = new byte[60 << 10];

  /** Nodes delete log every 30 s. */
  private static final long PURGE_MS = 35_000;

  private static final long CATCH_UP_SECONDS_MAX = 120;

  /** What a fault does. */
  interface Step {
    void run(FaultRun run) throws IOException, InterruptedException;
  }

  private final ServeCluster cluster;
  private final RemoteBroker broker;
  private final Random random;
  private final Runnable begun;

  /**
   * @param begun called when the disturbance has begun
   */
  FaultRun(ServeCluster cluster, RemoteBroker broker, Random random, Runnable begun) {
    this.cluster = cluster;
    this.broker = broker;
    this.random = random;
    this.begun = begun;
  }

  void begun() {
    begun.run();
  }

  int leader() {
    return cluster.awaitLeader();
  }

  int anyMember() {
    int[] members = cluster.members();
    return members[random.nextInt(members.length)];
  }

  private int follower() {
    int leader = leader();
    int node = anyMember();
    while (node == leader) {
      node = anyMember();
    }
    return node;
  }

  private void pauseMs(int min, int max) throws InterruptedException {
    Thread.sleep(min + random.nextInt(max - min));
  }

  void killAndRestart(int node) throws IOException, InterruptedException {
    cluster.kill(node);
    begun();
    pauseMs(0, DOWN_MS_MAX);
    cluster.restart(node);
  }

  void killAll() throws IOException, InterruptedException {
    for (int member : cluster.members()) {
      cluster.kill(member);
    }
    begun();
    startAll();
  }

  private void startAll() throws IOException, InterruptedException {
    for (int member : cluster.members()) {
      cluster.begin(member);
    }
    for (int member : cluster.members()) {
      cluster.awaitListening(member);
    }
  }

  void pause(int node) throws IOException, InterruptedException {
    cluster.pause(node);
    begun();
    try {
      pauseMs(1_000, 20_000);
    } finally {
      cluster.resume(node);
    }
  }

  void pauseAll() throws IOException, InterruptedException {
    for (int member : cluster.members()) {
      cluster.pause(member);
    }
    begun();
    pauseMs(1_000, 5_000);
    for (int member : cluster.members()) {
      cluster.resume(member);
    }
  }

  /** Cuts what a node sends, what it gets, or both. */
  void cut(int node, boolean from, boolean to) throws InterruptedException {
    if (from) {
      cluster.links().cutFrom(node);
    }
    if (to) {
      cluster.links().cutTo(node);
    }
    awaitHeal();
  }

  void cutPair() throws InterruptedException {
    int one = anyMember();
    int other = anyMember();
    while (other == one) {
      other = anyMember();
    }
    cluster.links().cut(one, other);
    cluster.links().cut(other, one);
    awaitHeal();
  }

  private void awaitHeal() throws InterruptedException {
    long before = cluster.links().held();
    begun();
    pauseMs(1_000, 15_000);
    long held = cluster.links().held() - before;
    cluster.links().heal();
    if (held == 0) {
      throw new IllegalStateException("the cut has held back nothing");
    }
  }

  void slowLinks() throws InterruptedException {
    cluster.links().delay(20 + random.nextInt(80));
    begun();
    pauseMs(3_000, 10_000);
    cluster.links().heal();
  }

  void transfer() throws IOException, InterruptedException {
    begun();
    cluster.transfer(follower());
  }

  void rollingRestart() throws IOException, InterruptedException {
    begun();
    for (int member : cluster.members()) {
      if (member == leader()) {
        cluster.transfer(follower());
      }
      cluster.stop(member);
      cluster.restart(member);
      cluster.awaitCaughtUp(member, CATCH_UP_SECONDS_MAX);
    }
  }

  void changeMembers() throws IOException, InterruptedException {
    List<Integer> old = new ArrayList<>();
    for (int member : cluster.members()) {
      old.add(member);
    }
    Collections.shuffle(old, random);
    begun();
    cluster.add(cluster.spare());
    cluster.remove(old.get(0));
    cluster.replace(old.get(1));
  }

  void away() throws IOException, InterruptedException {
    comeBack(false, MESSAGES / BATCH, BATCH, SMALL);
  }

  void awayLong() throws IOException, InterruptedException {
    comeBack(true, LARGE_BATCHES, LARGE_BATCH, LARGE);
  }

  private void comeBack(boolean byCheckpoint, int batches, int batch, byte[] payload)
      throws IOException, InterruptedException {
    int node = follower();
    cluster.kill(node);
    begun();
    List<NewMessage> messages = Collections.nCopies(batch, NewMessage.to(QUEUE, payload));
    for (int i = 0; i < batches; i++) {
      broker.push(PushRequest.of(messages)).orThrow();
    }
    if (byCheckpoint) {
      Thread.sleep(PURGE_MS);
    }
    cluster.restart(node);
    cluster.awaitCaughtUp(node, CATCH_UP_SECONDS_MAX);
    if (cluster.hasInstalled(node) != byCheckpoint) {
      throw new IllegalStateException(
          "expected the node to come back by " + (byCheckpoint ? "a checkpoint" : "the log"));
    }
    broker.deleteQueue(QUEUE).orThrow();
  }

  void loseWrites() throws IOException, InterruptedException {
    for (int member : cluster.members()) {
      cluster.kill(member);
    }
    cluster.backUp();
    startAll();
    cluster.awaitLeader();
    Thread.sleep(DOWN_MS_MAX);
    for (int member : cluster.members()) {
      cluster.kill(member);
    }
    cluster.rollBack();
    begun();
    startAll();
  }
}
