package io.holdfast.workflow.history;

import java.time.Duration;

/** Events in words, for people who read a history or a diff. */
public final class Describe {
  private Describe() {}

  /** What an event is, in a few words. */
  public static String event(Event event) {
    return switch (event) {
      case Event.Started e -> "started " + e.name() + " " + e.version();
      case Event.Completed e -> "task " + e.task() + " completed";
      case Event.Failed e -> "task " + e.task() + " failed: " + e.failure();
      case Event.Fired e -> "timer " + e.task() + " fired";
      case Event.Received e -> "event '" + e.name() + "' came";
      case Event.CancelRequested e -> "was asked to cancel: " + e.reason();
      case Event.CallScheduled e ->
          "call of activity '" + e.activity() + "'" + (e.tag().isEmpty() ? "" : " on " + e.tag());
      case Event.StepDone e ->
          "step '" + e.step() + "'" + (e.failure() == null ? "" : " failed: " + e.failure());
      case Event.TimerSet e -> "timer of " + Duration.ofMillis(e.forMs());
      case Event.EventAwaited e -> "wait for event '" + e.name() + "'";
      case Event.SubStarted e -> "sub-flow '" + e.name() + "' as " + e.flow();
      case Event.Launched e -> "start of flow '" + e.name() + "' as " + e.flow();
      case Event.TaskCancelled e -> "task " + e.task() + " was cancelled";
      case Event.StatusSet e -> "status: " + (e.status() == null ? "none" : e.status());
      case Event.Patched e -> "change '" + e.change() + "'";
      case Event.FlowCompleted e -> "completed";
      case Event.FlowFailed e -> "failed: " + e.failure();
      case Event.FlowCancelled e -> "cancelled: " + e.reason();
      case Event.ContinuedAsNew e -> "continued as new";
      case Event.Terminated e -> "terminated: " + e.reason();
      case Event.Suspended e -> "suspended: " + e.reason();
      case Event.Resumed e -> "resumed";
      case Event.Rewound e -> "goes on from event " + e.to();
      case Event.Blocked e -> "blocked: " + e.reason();
    };
  }

  /** The kind of an event, in one word. */
  public static String kind(Event event) {
    return event.getClass().getSimpleName();
  }
}
