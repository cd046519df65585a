package io.holdfast.bench.cluster;

import java.io.IOException;
import java.util.Random;

/** A disturbance of a cluster, which is healed after a while. */
public enum Fault {
  /** Nothing happens, to have something to compare with. */
  NONE {
    @Override
    void run(ServeCluster cluster, Random random, Runnable begun) {
      begun.run();
    }
  },
  /** {@code kill -9} of any node, and a restart some seconds later. */
  KILL_ONE {
    @Override
    void run(ServeCluster cluster, Random random, Runnable begun)
        throws IOException, InterruptedException {
      killAndRestart(cluster, random.nextInt(cluster.size()), random, begun);
    }
  },
  /** {@code kill -9} of the leader, and a restart some seconds later. */
  KILL_LEADER {
    @Override
    void run(ServeCluster cluster, Random random, Runnable begun)
        throws IOException, InterruptedException {
      killAndRestart(cluster, cluster.awaitLeader(), random, begun);
    }
  },
  /** {@code kill -9} of all nodes within some milliseconds, and a restart of all. */
  KILL_ALL {
    @Override
    void run(ServeCluster cluster, Random random, Runnable begun)
        throws IOException, InterruptedException {
      for (int node = 0; node < cluster.size(); node++) {
        cluster.kill(node);
      }
      begun.run();
      for (int node = 0; node < cluster.size(); node++) {
        cluster.begin(node);
      }
      for (int node = 0; node < cluster.size(); node++) {
        cluster.awaitListening(node);
      }
    }
  },
  /** The leader stops for 1 to 20 seconds and then continues, without knowing of it. */
  PAUSE_LEADER {
    @Override
    void run(ServeCluster cluster, Random random, Runnable begun)
        throws IOException, InterruptedException {
      pause(cluster, cluster.awaitLeader(), 1_000 + random.nextInt(19_000), begun);
    }
  },
  /** Any node stops for 1 to 20 seconds and then continues. */
  PAUSE_ONE {
    @Override
    void run(ServeCluster cluster, Random random, Runnable begun)
        throws IOException, InterruptedException {
      pause(cluster, random.nextInt(cluster.size()), 1_000 + random.nextInt(19_000), begun);
    }
  },
  /** All nodes stop for 1 to 5 seconds and then continue. */
  PAUSE_ALL {
    @Override
    void run(ServeCluster cluster, Random random, Runnable begun)
        throws IOException, InterruptedException {
      for (int node = 0; node < cluster.size(); node++) {
        cluster.pause(node);
      }
      begun.run();
      Thread.sleep(1_000 + random.nextInt(4_000));
      for (int node = 0; node < cluster.size(); node++) {
        cluster.resume(node);
      }
    }
  };

  private static final int DOWN_MS_MAX = 4_000;

  /**
   * Disturbs the cluster and heals it; all nodes run afterwards.
   *
   * @param begun called when the disturbance has begun
   */
  abstract void run(ServeCluster cluster, Random random, Runnable begun)
      throws IOException, InterruptedException;

  /** Whether the cluster loses its leader. */
  boolean hitsLeader() {
    return this == KILL_LEADER || this == PAUSE_LEADER || this == KILL_ALL || this == PAUSE_ALL;
  }

  private static void killAndRestart(ServeCluster cluster, int node, Random random, Runnable begun)
      throws IOException, InterruptedException {
    cluster.kill(node);
    begun.run();
    Thread.sleep(random.nextInt(DOWN_MS_MAX));
    cluster.restart(node);
  }

  private static void pause(ServeCluster cluster, int node, long ms, Runnable begun)
      throws IOException, InterruptedException {
    cluster.pause(node);
    begun.run();
    try {
      Thread.sleep(ms);
    } finally {
      cluster.resume(node);
    }
  }
}
