package io.holdfast.workflow.history;

/** What a task waits for. */
public enum TaskKind {
  CALL,
  TIMER,
  EVENT,
  SUB;

  /** The kind of the task that an event began. */
  public static TaskKind of(Event begun) {
    return switch (begun) {
      case Event.CallScheduled e -> CALL;
      case Event.TimerSet e -> TIMER;
      case Event.EventAwaited e -> EVENT;
      case Event.SubStarted e -> SUB;
      default -> throw new IllegalArgumentException("an event that begins no task: " + begun);
    };
  }

  /** The tag of its activity, the id of its flow, or nothing. */
  public static String where(Event begun) {
    return switch (begun) {
      case Event.CallScheduled e -> e.tag();
      case Event.SubStarted e -> e.flow();
      default -> "";
    };
  }
}
