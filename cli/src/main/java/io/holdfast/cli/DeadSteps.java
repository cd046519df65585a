package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.cli.terminal.TextTable;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Does something to dead letters of any number, in bounded steps: each is those that died up to the
 * end of a page.
 *
 * <p>What dies while it goes on is left alone, so that a requeue of what dies again comes to an
 * end.
 */
final class DeadSteps {
  private final Broker broker;
  private final Progress progress;
  private final String what;
  private final Function<DeadLetterFilter, Result<Affected>> act;

  DeadSteps(
      Broker broker,
      RemoteOptions remote,
      String what,
      Function<DeadLetterFilter, Result<Affected>> act) {
    this.broker = broker;
    this.progress = new Progress(remote);
    this.what = what;
    this.act = act;
  }

  /** How many match. */
  static long count(Broker broker, DeadLetterFilter filter) {
    return broker.requeue(new RequeueRequest(filter, true)).orThrow().count();
  }

  /** The filter, without what dies from now on. */
  static DeadLetterFilter untilNow(Broker broker, DeadLetterFilter filter) {
    long nowMs = broker.stats().orThrow().nowMs();
    return filter.died(filter.fromMs(), Math.min(filter.toMs(), nowMs + 1));
  }

  /** Does it to some by their ids; answers how many there were. */
  long each(DeadLetterFilter filter, List<UUID> ids) {
    long done = 0;
    for (UUID id : ids) {
      done += act.apply(filter.message(id)).orThrow().count();
    }
    return done;
  }

  /** Does it to all that match; answers how many there were. */
  long all(DeadLetterFilter filter) {
    DeadLetterFilter left = filter;
    long done = 0;
    long total = -1;
    while (true) {
      DeadLetters page =
          broker.deadLetters(new DeadLettersRequest(left, null, Limits.PAGE_MAX)).orThrow();
      if (page.items().isEmpty()) {
        progress.end();
        return done;
      }
      total = total < 0 ? page.total() : total;
      long untilMs = Math.min(left.toMs(), page.items().getLast().diedMs() + 1);
      long count = act.apply(left.died(left.fromMs(), untilMs)).orThrow().count();
      done += count;
      progress.show(what + " " + TextTable.grouped(done) + " of " + TextTable.grouped(total));
      if (page.next() == null || untilMs >= left.toMs()) {
        progress.end();
        return done;
      }
      left = left.died(untilMs, left.toMs());
    }
  }
}
