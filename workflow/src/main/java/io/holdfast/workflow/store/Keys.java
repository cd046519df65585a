package io.holdfast.workflow.store;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.history.ExecutionId;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The names of all that flows keep in a broker.
 *
 * <p>With the prefix {@code flows}:
 *
 * <ul>
 *   <li>queue {@code flows}: a partition for each flow, so that its lease is the lock of the flow;
 *   <li>queues {@code flows.work} and {@code flows.work.<tag>}: activities;
 *   <li>journal {@code flows/history/<id>/<incarnation>/<execution>}: events;
 *   <li>journal {@code flows/inbox/<id>}: messages kept for a flow that cannot take them now;
 *   <li>record {@code flows/flow/<id>}: {@link FlowRecord};
 *   <li>record {@code flows/begun/<id>}: empty, from the first turn of a flow until it is deleted,
 *       so that a repeated start is refused; before it, the same as {@code flows/early/<id>};
 *   <li>record {@code flows/status/<status>/<name>/<id>}: {@link Summary}, for lists;
 *   <li>record {@code flows/ended/<time>/<id>}: empty, for retention;
 *   <li>record {@code flows/child/<parent>/<id>}: empty, for trees;
 *   <li>record {@code flows/early/<id>}: since when a flow without a history has something to be
 *       looked at before it begins, such as events that came before its start; for lists.
 * </ul>
 *
 * <p>In keys, a slash within a name is written as {@code %2F}, and a percent sign as {@code %25}.
 */
public final class Keys {
  /** Work is spread over so many partitions, and workers take from them in turn. */
  private static final int WORK_PARTITIONS = 16;

  private static final String[] PARTITIONS = new String[WORK_PARTITIONS];

  /** Times are written with so many digits, so that they sort as they pass. */
  private static final int TIME_DIGITS = 15;

  private static final Map<FlowStatus, String> STATUSES = new EnumMap<>(FlowStatus.class);

  static {
    for (int i = 0; i < WORK_PARTITIONS; i++) {
      PARTITIONS[i] = "p" + i;
    }
    for (FlowStatus status : FlowStatus.values()) {
      STATUSES.put(status, status.name().toLowerCase(Locale.ROOT));
    }
  }

  private final String prefix;

  public Keys(String prefix) {
    this.prefix = prefix;
  }

  /** The queue of turns. */
  public String turns() {
    return prefix;
  }

  /** The queue of the activities of a tag. */
  public String work(String tag) {
    return tag.equals(Activity.NO_TAG) ? prefix + ".work" : prefix + ".work." + tag;
  }

  /** Where the work of a flow lies, so that a flow with much of it does not hold up the others. */
  public static String workPartition(String id) {
    return PARTITIONS[Math.floorMod(id.hashCode(), WORK_PARTITIONS)];
  }

  /** The name of the message that a task waits for, by which it can be cancelled. */
  public static String taskName(ExecutionId execution, long task) {
    return execution.incarnation() + "." + execution.number() + "." + task;
  }

  public static String workName(ExecutionId execution, long task) {
    return execution.flow() + "/" + taskName(execution, task);
  }

  public String history(ExecutionId execution) {
    return prefix
        + "/history/"
        + escaped(execution.flow())
        + "/"
        + execution.incarnation()
        + "/"
        + execution.number();
  }

  public String begun(String id) {
    return prefix + "/begun/" + escaped(id);
  }

  public String inbox(String id) {
    return prefix + "/inbox/" + escaped(id);
  }

  public String flow(String id) {
    return prefix + "/flow/" + escaped(id);
  }

  public String status(FlowStatus status, String name, String id) {
    return statusPrefix(status, name) + escaped(id);
  }

  public String statusPrefix(FlowStatus status, String name) {
    return statusPrefix(status) + escaped(name) + "/";
  }

  public String statusPrefix(FlowStatus status) {
    return statusPrefix() + STATUSES.get(status) + "/";
  }

  public String statusPrefix() {
    return prefix + "/status/";
  }

  public String ended(long endedMs, String id) {
    String digits = Long.toString(endedMs);
    String zeros = "0".repeat(Math.max(0, TIME_DIGITS - digits.length()));
    return endedPrefix() + zeros + digits + "/" + escaped(id);
  }

  public String endedPrefix() {
    return prefix + "/ended/";
  }

  public String child(String parent, String id) {
    return childPrefix(parent) + escaped(id);
  }

  public String childPrefix(String parent) {
    return prefix + "/child/" + escaped(parent) + "/";
  }

  public String early(String id) {
    return earlyPrefix() + escaped(id);
  }

  public String earlyPrefix() {
    return prefix + "/early/";
  }

  /** The parts of a key after a prefix of it. */
  public static String[] parts(String key, String begin) {
    String[] parts = key.substring(begin.length()).split("/", -1);
    for (int i = 0; i < parts.length; i++) {
      parts[i] = parts[i].replace("%2F", "/").replace("%25", "%");
    }
    return parts;
  }

  private static String escaped(String name) {
    return name.indexOf('/') < 0 && name.indexOf('%') < 0
        ? name
        : name.replace("%", "%25").replace("/", "%2F");
  }
}
