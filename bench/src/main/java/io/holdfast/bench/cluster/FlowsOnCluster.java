package io.holdfast.bench.cluster;

import io.holdfast.api.Broker;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Orchestration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Flows that are started, and started again if nobody answered; each of them has to end once, with
 * its result.
 *
 * <p>Thread: one begins and ends it.
 */
final class FlowsOnCluster implements AutoCloseable {
  private static final int LENGTH = 3;
  private static final long PAUSE_MS = 50;
  private static final Duration END_MAX = Duration.ofMinutes(2);

  private static final Activity<Integer, Integer> NEXT =
      Activity.named("next", Integer.class, Integer.class, n -> n + 1);

  private static final Orchestration<Integer, Integer> CHAIN =
      Orchestration.named(
          "chain",
          Integer.class,
          Integer.class,
          (flow, from) -> {
            int value = from;
            for (int i = 0; i < LENGTH; i++) {
              value = flow.call(NEXT, value).await();
            }
            return value;
          });

  private final Flows flows;
  private final String prefix;
  private final AtomicInteger started = new AtomicInteger();
  private final Thread starter;
  private volatile boolean ending;

  FlowsOnCluster(Broker broker, String prefix) {
    this.prefix = prefix;
    this.flows =
        Flows.on(broker, FlowsConfig.defaults().prefix("flows-" + prefix))
            .register(CHAIN)
            .register(NEXT)
            .serve();
    this.starter = Thread.ofVirtual().name("flows").start(this::run);
  }

  private void run() {
    while (!ending) {
      int number = started.get();
      try {
        flows.start(CHAIN, id(number), number);
        started.incrementAndGet();
        Thread.sleep(PAUSE_MS);
      } catch (UnreachableException | RefusedException | FlowException unanswered) {
        // The same flow is started again.
      } catch (InterruptedException ended) {
        return;
      }
    }
  }

  private String id(int number) {
    return prefix + "-" + number;
  }

  /** Starts no more flows, waits for all to end, and returns what is wrong with them. */
  List<String> end() throws InterruptedException {
    ending = true;
    starter.join();
    List<String> found = new ArrayList<>();
    for (int number = 0; number < started.get(); number++) {
      try {
        int result = flows.await(id(number), CHAIN, END_MAX);
        if (result != number + LENGTH) {
          found.add("the flow " + id(number) + " returned " + result);
        }
      } catch (FlowException | RefusedException | UnreachableException failed) {
        found.add("the flow " + id(number) + " did not end: " + failed.getMessage());
      }
    }
    return found;
  }

  /** The number of flows that were started. */
  int count() {
    return started.get();
  }

  @Override
  public void close() {
    flows.close();
  }
}
