package io.holdfast.workflow.admin;

/**
 * What a purge did, or would do.
 *
 * @param matched flows that the filter is about, children aside
 * @param deleted flows that are gone, children included; 0 for a dry run
 * @param kept flows that stayed because one that hangs on them has not ended
 * @param more whether there may be further ones
 */
public record Purged(int matched, int deleted, int kept, boolean more) {}
