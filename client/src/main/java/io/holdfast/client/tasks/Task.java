package io.holdfast.client.tasks;

import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An instruction to whoever subscribes to its topic. Immutable: what becomes of it is told by
 * {@link TaskState}.
 *
 * @param id the publisher's name for it: publishing the same id again to the same topic is
 *     recognised as the same task
 * @param instruction what to do
 * @param topic where it is, or is to be, published
 * @param priority 0 first; see {@link TaskBrokerConfig#priorities}
 * @param payload opaque bytes; not copied, so leave them alone
 */
public record Task(UUID id, String instruction, String topic, int priority, byte[] payload) {
  /** The first of all priorities. */
  public static final int HIGH = 0;

  /** The priority of tasks that say nothing else. */
  public static final int NORMAL = 4;

  /** The last priority, unless the broker is configured to have more or fewer. */
  public static final int LOW = 9;

  /** Longest instruction, in characters. */
  public static final int INSTRUCTION_CHARS_MAX = 1024;

  private static final byte[] NO_PAYLOAD = new byte[0];

  public Task {
    Objects.requireNonNull(id, "id");
    Texts.name("topic", topic);
    Objects.requireNonNull(instruction, "instruction");
    Objects.requireNonNull(payload, "payload");
    if (instruction.length() > INSTRUCTION_CHARS_MAX) {
      throw new IllegalArgumentException(
          "instruction: expected at most "
              + INSTRUCTION_CHARS_MAX
              + " characters, but got "
              + instruction.length()
              + "; put what is long into the payload");
    }
    if (priority < 0) {
      throw new IllegalArgumentException(
          "priority: expected 0 (first) or more, but got " + priority);
    }
  }

  /** A new task of normal priority, with an id of its own and no payload. */
  public static Task of(String topic, String instruction) {
    return new Task(UUID.randomUUID(), instruction, topic, NORMAL, NO_PAYLOAD);
  }

  public Task id(UUID name) {
    return new Task(name, instruction, topic, priority, payload);
  }

  public Task topic(String name) {
    return new Task(id, instruction, name, priority, payload);
  }

  public Task priority(int rank) {
    return new Task(id, instruction, topic, rank, payload);
  }

  public Task payload(byte[] bytes) {
    return new Task(id, instruction, topic, priority, bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Task task
        && id.equals(task.id)
        && instruction.equals(task.instruction)
        && topic.equals(task.topic)
        && priority == task.priority
        && Arrays.equals(payload, task.payload);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  /** Without the payload, which is nobody's business in a log. */
  @Override
  public String toString() {
    return "Task[id="
        + id
        + ", instruction="
        + instruction
        + ", topic="
        + topic
        + ", priority="
        + priority
        + ", payload="
        + payload.length
        + " bytes]";
  }
}
