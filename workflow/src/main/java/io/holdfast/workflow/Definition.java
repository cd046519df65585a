package io.holdfast.workflow;

/** Code that is known by a name: an {@link Orchestration} or an {@link Activity}. */
public sealed interface Definition permits Orchestration, Activity {
  String name();
}
