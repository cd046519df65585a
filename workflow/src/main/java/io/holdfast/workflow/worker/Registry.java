package io.holdfast.workflow.worker;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Definition;
import io.holdfast.workflow.Orchestration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The code that a worker knows, by name and version.
 *
 * <p>Thread: any.
 */
public final class Registry {
  private final Map<String, NavigableMap<String, Orchestration<?, ?>>> flows =
      new ConcurrentHashMap<>();
  private final Map<String, Activity<?, ?>> activities = new ConcurrentHashMap<>();

  /** Adds code; one of the same name and version is replaced. */
  public void add(Definition definition) {
    switch (definition) {
      case Orchestration<?, ?> flow ->
          flows
              .computeIfAbsent(
                  flow.name(), name -> new ConcurrentSkipListMap<>(Orchestration::compareVersions))
              .put(flow.version(), flow);
      case Activity<?, ?> activity -> activities.put(activity.name(), activity);
    }
  }

  /** The code of a flow, in the newest version if none is told; null if it is not known. */
  public @Nullable Orchestration<?, ?> flow(String name, @Nullable String version) {
    NavigableMap<String, Orchestration<?, ?>> versions = flows.get(name);
    if (versions == null) {
      return null;
    }
    return version == null ? versions.lastEntry().getValue() : versions.get(version);
  }

  public @Nullable Activity<?, ?> activity(String name) {
    return activities.get(name);
  }

  /** The versions of a flow that are known, the oldest first. */
  public Set<String> versions(String name) {
    NavigableMap<String, Orchestration<?, ?>> versions = flows.get(name);
    return versions == null ? Set.of() : versions.keySet();
  }

  public boolean hasFlows() {
    return !flows.isEmpty();
  }

  /** The tags of the activities that are known. */
  public Set<String> tags() {
    Set<String> tags = new TreeSet<>();
    activities.values().forEach(activity -> tags.add(activity.tag()));
    return tags;
  }

  /** What is known, for people. */
  @Override
  public String toString() {
    Map<String, Set<String>> known = new TreeMap<>();
    flows.forEach((name, versions) -> known.put(name, versions.keySet()));
    return known.toString();
  }
}
