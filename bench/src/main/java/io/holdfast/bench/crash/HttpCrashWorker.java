package io.holdfast.bench.crash;

import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.bench.crash.CrashQueues.Place;
import io.holdfast.bench.http.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One client of a server: it does steps at random in a partition of its own, over one connection,
 * and notes each before it asks and its answer before it goes on. A step whose answer did not come
 * stays in doubt.
 *
 * <p>Thread: one at a time.
 */
final class HttpCrashWorker {
  private static final int HOUR_MS = 3_600_000;
  private static final int BATCH_MAX = 5;
  private static final int TRANSACTION_PUSHES_MAX = 3;

  private final HttpSteps steps;
  private final int number;
  private final Place place;
  private final CrashWorker.Log log;
  private final Random random;
  private long next;

  HttpCrashWorker(Wire wire, int round, int number, long seed, CrashWorker.Log log) {
    this.number = number;
    this.place = Place.of(round, number);
    this.steps = new HttpSteps(wire, place);
    this.log = log;
    this.random = new Random(seed);
  }

  /** Works until the server is gone or an answer is wrong, or for a number of steps. */
  void work(long stepsMax) {
    for (long i = 0; i < stepsMax; i++) {
      Step step = choose();
      log.write(new Line(number, Line.Kind.TRY, step.text()));
      String answer;
      try {
        answer = steps.attempt(step);
      } catch (IOException gone) {
        return;
      } catch (RuntimeException e) {
        log.write(new Line(number, Line.Kind.WRONG, step.text() + " answered " + e));
        return;
      }
      log.write(new Line(number, Line.Kind.DONE, answer));
    }
  }

  private Step choose() {
    int dice = random.nextInt(100);
    List<String> names = steps.held();
    if (names.isEmpty()) {
      if (dice < 50) {
        return choosePush();
      }
      return dice < 92
          ? new Step.Pop(1 + random.nextInt(BATCH_MAX), List.of())
          : new Step.Commit(Step.NONE, steps.commits(), newName());
    }
    String one = names.get(random.nextInt(names.size()));
    if (dice < 22) {
      return choosePush();
    }
    if (dice < 38) {
      return new Step.SettleHeld(Outcome.ACK, names);
    }
    if (dice < 48) {
      return new Step.SettleHeld(Outcome.ACK, List.of(one));
    }
    if (dice < 58) {
      return new Step.SettleHeld(Outcome.NACK, List.of(one));
    }
    if (dice < 66) {
      return new Step.SettleHeld(dice < 63 ? Outcome.RELEASE : Outcome.KILL, List.of(one));
    }
    return chooseCommit(dice, names, one);
  }

  private Step chooseCommit(int dice, List<String> names, String one) {
    if (dice < 80) {
      return new Step.Commit(one, steps.commits(), newName());
    }
    if (dice < 84) {
      return new Step.WrongCommit(one, steps.commits() + 1, newName());
    }
    if (dice < 94) {
      List<String> pushes = new ArrayList<>();
      int count = 1 + random.nextInt(TRANSACTION_PUSHES_MAX);
      for (int i = 0; i < count; i++) {
        pushes.add(newName());
      }
      return new Step.Transaction(random.nextBoolean() ? names : List.of(one), pushes);
    }
    return new Step.Extend();
  }

  private Step choosePush() {
    List<Step.Push.Item> items = new ArrayList<>();
    int dice = random.nextInt(10);
    if (dice == 0) {
      // Alone, because one that was not answered has no id to look for.
      items.add(new Step.Push.Item(newName(), HOUR_MS, random.nextBoolean()));
    } else {
      int count = 1 + random.nextInt(BATCH_MAX);
      for (int i = 0; i < count; i++) {
        items.add(new Step.Push.Item(newName(), dice == 1 ? 100 : 0, dice > 5));
      }
    }
    return new Step.Push(System.currentTimeMillis(), items);
  }

  private String newName() {
    return place.partition() + "-" + next++;
  }
}
