package io.holdfast.server.docs;

import java.util.Map;

/** What the topics of routes are about, in a sentence each. */
final class Topics {
  private static final Map<String, String> DESCRIPTIONS =
      Map.ofEntries(
          Map.entry("Health and metrics", "Whether the server works, and its metrics."),
          Map.entry("Tokens", "Access tokens of a server that requires them."),
          Map.entry("Access", "Sessions of browsers."),
          Map.entry("Priority queue", "A small interface: push, pop and acknowledge by priority."),
          Map.entry("Messages", "Push, pop, find, cancel and reschedule messages."),
          Map.entry("Acknowledgement", "Acknowledge messages, and extend or settle leases."),
          Map.entry("Queues", "Configure, list, pause, purge and delete queues."),
          Map.entry("Commits", "Several operations, all or none, with journals and records."),
          Map.entry("Tasks", "Messages whose status is tracked."),
          Map.entry("Dead letters", "Messages that exhausted their retries."),
          Map.entry("Jobs", "Long operations that continue after their request."),
          Map.entry("Consumer groups", "List, seek and delete consumer groups."),
          Map.entry("Verbs", "The requests of the Java client, in a compact form."),
          Map.entry("Flows", "Start, inspect and control durable flows."),
          Map.entry("Upkeep", "Checkpoints of all data."),
          Map.entry("Cluster", "The nodes of a cluster, and changes of them."),
          Map.entry("Status", "The state of the broker and its history."),
          Map.entry("Maintenance", "Suspend pushes or pops."),
          Map.entry("Traces", "Notes about messages."),
          Map.entry("Dashboard", "The pages of the dashboard."),
          Map.entry("Description", "This interface, described for programs and people."));

  private Topics() {}

  /** What a topic is about; its name if that is not known. */
  static String description(String topic) {
    return DESCRIPTIONS.getOrDefault(topic, topic);
  }
}
