package io.holdfast.server.deadletters;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.server.jobs.Jobs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the dead letters of a filter and acts on each by itself.
 *
 * <p>Those that die after it began are left alone; else it might never end, because what it
 * requeues may die again.
 *
 * <p>Thread: that of its job, which has a step's acts done at once, so that they share writes.
 */
final class DeadLetterWalk implements Jobs.Work {
  private static final long OVERLOADED_MS = 100;

  private final Broker broker;
  private final DeadLetterFilter filter;
  private final long untilMs;
  private final Function<DeadLetterFilter, Result<Affected>> act;
  private final Deque<DeadLetterFilter> ahead = new ArrayDeque<>();
  private @Nullable String after;
  private boolean ended;

  /**
   * @param untilMs the time of the last death that counts
   * @param act what is done with one dead letter
   */
  DeadLetterWalk(
      Broker broker,
      DeadLetterFilter filter,
      long untilMs,
      Function<DeadLetterFilter, Result<Affected>> act) {
    this.broker = broker;
    this.filter = filter;
    this.untilMs = untilMs;
    this.act = act;
  }

  @Override
  public long step(int most) {
    List<DeadLetterFilter> some = take(most);
    if (some.isEmpty()) {
      return -1;
    }
    List<Future<Result<Affected>>> acts = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      some.forEach(one -> acts.add(threads.submit(() -> act.apply(one))));
    }
    long done = 0;
    boolean overloaded = false;
    for (int i = 0; i < acts.size(); i++) {
      Result<Affected> result = acts.get(i).resultNow();
      if (result.isOk()) {
        done += result.orThrow().count();
      } else if (result.refusal().code() == ErrorCode.OVERLOADED) {
        overloaded = true;
        ahead.addFirst(some.get(i));
      } else {
        throw new RefusedException(result.refusal());
      }
    }
    if (overloaded) {
      pause();
    }
    return done;
  }

  /** The broker has better things to do. */
  private static void pause() {
    try {
      Thread.sleep(OVERLOADED_MS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private List<DeadLetterFilter> take(int most) {
    List<DeadLetterFilter> some = new ArrayList<>();
    while (some.size() < most) {
      DeadLetterFilter next = ahead.poll();
      if (next != null) {
        some.add(next);
      } else if (ended) {
        break;
      } else {
        read();
      }
    }
    return some;
  }

  private void read() {
    DeadLetters page =
        broker
            .deadLetters(new DeadLettersRequest(filter, after, Limits.PAGE_MAX).uncounted())
            .orThrow();
    for (DeadLetter dead : page.items()) {
      if (dead.diedMs() > untilMs) {
        ended = true;
        return;
      }
      // It may be delivered and die once more before its turn: then it is another dead letter.
      ahead.add(
          filter
              .group(dead.group())
              .message(dead.message().id())
              .died(filter.fromMs(), Math.min(filter.toMs(), untilMs + 1)));
    }
    after = page.next();
    ended = after == null;
  }
}
