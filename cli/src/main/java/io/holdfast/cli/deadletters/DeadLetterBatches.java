package io.holdfast.cli.deadletters;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.ProgressLine;
import io.holdfast.cli.terminal.TextTable;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Requeues or removes any number of dead letters in batches, each up to the end of a page.
 *
 * <p>Messages that die meanwhile are left out, so that requeuing messages that die again ends.
 */
final class DeadLetterBatches {
  private final Broker broker;
  private final ProgressLine progress;
  private final String what;
  private final Function<DeadLetterFilter, Result<Affected>> act;

  DeadLetterBatches(
      Broker broker,
      ServerOptions remote,
      String what,
      Function<DeadLetterFilter, Result<Affected>> act) {
    this.broker = broker;
    this.progress = new ProgressLine(remote);
    this.what = what;
    this.act = act;
  }

  static long count(Broker broker, DeadLetterFilter filter) {
    return broker.requeue(new RequeueRequest(filter, true)).orThrow().count();
  }

  /** The filter, without the messages that die from now on. */
  static DeadLetterFilter untilNow(Broker broker, DeadLetterFilter filter) {
    long nowMs = broker.stats().orThrow().nowMs();
    return filter.died(filter.fromMs(), Math.min(filter.toMs(), nowMs + 1));
  }

  /** Processes single dead letters; returns their number. */
  long each(DeadLetterFilter filter, List<UUID> ids) {
    long done = 0;
    for (UUID id : ids) {
      done += act.apply(filter.message(id)).orThrow().count();
    }
    return done;
  }

  /** Processes all that match; returns their number. */
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
