package io.holdfast.api.queue;

/** How many messages a bulk operation changed, or would change in a dry run. */
public record Affected(long count) {}
