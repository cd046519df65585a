package io.holdfast.client.tasks;

import io.holdfast.api.task.TaskStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An ack and what came of it.
 *
 * @param before the status of the task before; null if that is not known
 * @param after the status after: DEAD for a failure that was one too many; null if not known
 * @param nextRetry how long until a failed task is delivered again; null if it is not
 */
public record AckEvent(
    TaskAck ack,
    AckVerdict verdict,
    @Nullable TaskStatus before,
    @Nullable TaskStatus after,
    @Nullable Duration nextRetry) {}
