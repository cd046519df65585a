package io.holdfast.workflow.admin;

import io.holdfast.workflow.FlowStatus;
import org.jspecify.annotations.Nullable;

/**
 * A flow in a list.
 *
 * @param version the version of its code; null before its first turn if none was asked for
 * @param createdMs when it was started
 * @param sinceMs when it came into its status
 * @param hasParent whether another flow waits, or waited, for it
 */
public record FlowLine(
    String id,
    String name,
    FlowStatus status,
    @Nullable String version,
    long createdMs,
    long sinceMs,
    boolean hasParent) {}
