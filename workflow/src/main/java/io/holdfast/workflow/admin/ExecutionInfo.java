package io.holdfast.workflow.admin;

import io.holdfast.workflow.FlowStatus;
import org.jspecify.annotations.Nullable;

/**
 * An execution of a flow whose history is kept.
 *
 * @param version of its code; null if its history cannot be read
 * @param startedMs when it began
 * @param endedMs when it ended; 0 if it has not
 * @param end how it ended, in words; null if it has not
 * @param status as a flow would have it: {@code COMPLETED} if it continued as a new execution
 * @param events how many its history holds
 */
public record ExecutionInfo(
    long number,
    @Nullable String version,
    long startedMs,
    long endedMs,
    @Nullable String end,
    FlowStatus status,
    long events) {}
