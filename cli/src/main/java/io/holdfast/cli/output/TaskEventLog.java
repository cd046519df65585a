package io.holdfast.cli.output;

/** The log of task events, which commands that print to the same terminal turn off. */
public final class TaskEventLog {
  private static final String PROPERTY = "holdfast.log.tasks";

  private TaskEventLog() {}

  /** Must be called before the first log line; see logback.xml. */
  public static void disable() {
    System.setProperty(PROPERTY, "nowhere");
  }
}
