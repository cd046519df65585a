package io.holdfast.engine;

import io.holdfast.engine.command.Effect;
import io.holdfast.engine.store.Tx;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands applied together: their rows, their answers and their effects, held back until durable.
 */
final class Batch {
  /** Most commands of a batch. */
  private static final int TASKS_MAX = 4_096;

  /** A batch is closed once its rows take this many bytes. */
  private static final long BYTES_MAX = 4L << 20;

  final Tx tx;
  final List<Effect> effects = new ArrayList<>();
  private final List<Runnable> answers = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  boolean sync;

  Batch(Tx tx) {
    this.tx = tx;
  }

  /** Takes a task in, before it is applied. */
  void add(Task task) {
    tasks.add(task);
  }

  /** Keeps the answer of a task that was applied. */
  void answerWith(Runnable answer) {
    answers.add(answer);
  }

  List<Task> tasks() {
    return tasks;
  }

  boolean isFull() {
    return tasks.size() >= TASKS_MAX || tx.bytes() >= BYTES_MAX;
  }

  void answer() {
    answers.forEach(Runnable::run);
  }
}
