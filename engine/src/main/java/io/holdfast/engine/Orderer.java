package io.holdfast.engine;

import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Entry;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The order of commands: takes what waits in the mailbox and makes entries of it. Time and random
 * bits are given to commands here, and nowhere else.
 *
 * <p>Thread: one takes entries; any reads the time.
 */
final class Orderer {
  /** Most tasks of an entry. */
  private static final int TASKS_MAX = 1_024;

  /** An entry takes no further task once its tasks have this many bytes. */
  private static final long BYTES_MAX = 1L << 20;

  /**
   * An entry, and the tasks of this node that it was made of: one for each command, and looks in
   * between.
   */
  record OrderedTasks(Entry entry, List<Task> tasks) {}

  /** Answers tasks that need no entry, or returns them. */
  interface Screen {
    /**
     * Decides about one task.
     *
     * @param encrypting queues whose encryption commands that are not applied yet may turn on
     */
    Task apply(Task task, Set<String> encrypting);
  }

  private final Mailbox mailbox;
  private final Set<String> encrypting = new HashSet<>();
  private final StampClock clock;
  private final IntSupplier level;
  private final SecureBits random = new SecureBits(new SecureRandom());

  /**
   * @param level the format level of the shard
   */
  Orderer(Mailbox mailbox, StampClock clock, IntSupplier level) {
    this.mailbox = mailbox;
    this.clock = clock;
    this.level = level;
  }

  /**
   * Makes an entry of what waits; null if nothing does.
   *
   * @param allApplied whether all entries that were made before are applied
   * @param screen answers commands that need no entry, or returns them
   */
  @Nullable OrderedTasks next(boolean allApplied, Screen screen) {
    if (allApplied) {
      encrypting.clear();
    }
    Task task = mailbox.poll();
    if (task == null) {
      return null;
    }
    List<Task> tasks = new ArrayList<>();
    List<Entry.Ordered> commands = new ArrayList<>();
    long bytes = 0;
    while (task != null) {
      task = screen.apply(task, encrypting);
      tasks.add(task);
      bytes += task.bytes();
      if (task instanceof Task.Apply apply) {
        commands.add(order(apply.command()));
        noteEncryption(apply.command());
      }
      boolean full = tasks.size() >= TASKS_MAX || bytes >= BYTES_MAX;
      task = full ? null : mailbox.poll();
    }
    return new OrderedTasks(new Entry(level.getAsInt(), commands), tasks);
  }

  private void noteEncryption(Command command) {
    if (command instanceof Command.ConfigureQueue configure
        && Boolean.TRUE.equals(configure.request().changes().get(QueueOption.ENCRYPTION))) {
      encrypting.add(configure.request().queue());
    }
  }

  private Entry.Ordered order(Command command) {
    return new Entry.Ordered(clock.nowMs(), random.nextLong(), command);
  }
}
