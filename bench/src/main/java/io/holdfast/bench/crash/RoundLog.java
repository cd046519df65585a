package io.holdfast.bench.crash;

import io.holdfast.bench.crash.CrashQueues.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that the child of one round said, worker by worker, and what was wrong with it.
 *
 * <p>Thread: the one that judges, after the child is dead.
 */
final class RoundLog {
  private final int round;
  private final Map<Integer, Worker> workers = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private Tally tally = Tally.NOTHING;

  RoundLog(int round, List<String> lines) {
    this.round = round;
    for (String text : lines) {
      Line.parse(text).ifPresent(this::take);
    }
  }

  List<Ledger> ledgers() {
    List<Ledger> ledgers = new ArrayList<>();
    workers.forEach(
        (number, worker) ->
            ledgers.add(new Ledger(Place.of(round, number), worker.model, worker.tried)));
    return ledgers;
  }

  List<String> violations() {
    return violations;
  }

  Tally tally() {
    return tally;
  }

  private void take(Line line) {
    Worker worker = workers.computeIfAbsent(line.worker(), number -> new Worker());
    switch (line.kind()) {
      case TRY -> worker.tried = Step.parse(line.body());
      case DONE -> {
        Step step = worker.tried;
        if (step == null) {
          throw new IllegalStateException("an answer to nothing: " + line.text());
        }
        worker.tried = null;
        tally = tally.plus(Tally.of(step));
        for (String wrong : worker.model.done(step, PartitionModel.words(line.body()))) {
          violations.add("round " + round + " worker " + line.worker() + ": " + wrong);
        }
      }
      case WRONG ->
          violations.add("round " + round + " worker " + line.worker() + ": " + line.body());
      case READY -> {}
    }
  }

  private static final class Worker {
    final PartitionModel model = new PartitionModel();
    @Nullable Step tried;
  }
}
