package io.holdfast.workflow.test;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A broker for one of two workers that get the turns of each flow alternately.
 *
 * <p>Thread: any.
 */
public final class AlternatingBroker extends ForwardingBroker {
  private final AlternatingTurns turns;
  private final int worker;

  private AlternatingBroker(Broker target, AlternatingTurns turns, int worker) {
    super(target);
    this.turns = turns;
    this.worker = worker;
  }

  /**
   * The brokers of two workers.
   *
   * @param time of the engine
   * @param queue in which messages to flows are
   */
  public static List<AlternatingBroker> pair(Broker target, TimeSource time, String queue) {
    AlternatingTurns turns = new AlternatingTurns(time, queue);
    return IntStream.range(0, AlternatingTurns.WORKERS)
        .mapToObj(worker -> new AlternatingBroker(target, turns, worker))
        .toList();
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    return turns.pop(worker, request, super::pop);
  }
}
