package io.holdfast.workflow.test;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What goes wrong in one run of a test. Its text names it, to run it again alone. */
sealed interface Fault {
  /** Nothing goes wrong. */
  record None() implements Fault {
    @Override
    public String toString() {
      return "none";
    }
  }

  /**
   * The worker dies once, as it stores something.
   *
   * @param commit at which of its commits and settles, from 1
   * @param applied whether it was stored, and only the answer is lost
   */
  record Crash(int commit, boolean applied) implements Fault {
    @Override
    public String toString() {
      return "crash " + (applied ? "after" : "before") + " commit " + commit;
    }
  }

  /**
   * Every message comes twice.
   *
   * @param lateMs how long after the first one the second becomes visible
   */
  record Twice(long lateMs) implements Fault {
    @Override
    public String toString() {
      return "twice " + (lateMs == 0 ? "at once" : "late");
    }
  }

  /** The worker keeps nothing in memory: each turn runs the code again from its beginning. */
  record Replay() implements Fault {
    @Override
    public String toString() {
      return "replay";
    }
  }

  /** Two workers take the turns of each flow alternately, so that their memory of it is stale. */
  record TwoWorkers() implements Fault {
    @Override
    public String toString() {
      return "two workers";
    }
  }

  /** A message that comes twice and late comes this much later. */
  long LATE_MS = 1_000;

  Fault NONE = new None();

  Pattern CRASH = Pattern.compile("crash (before|after) commit (\\d{1,6})");

  /** The fault of a name. */
  static Fault of(String text) {
    Matcher crash = CRASH.matcher(text);
    if (crash.matches()) {
      return new Crash(Integer.parseInt(crash.group(2)), crash.group(1).equals("after"));
    }
    return switch (text) {
      case "none" -> NONE;
      case "twice at once" -> new Twice(0);
      case "twice late" -> new Twice(LATE_MS);
      case "replay" -> new Replay();
      case "two workers" -> new TwoWorkers();
      default ->
          throw new IllegalArgumentException(
              "fault: expected one that a failed test has named, but got " + text);
    };
  }
}
