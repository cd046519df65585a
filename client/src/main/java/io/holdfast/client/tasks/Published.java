package io.holdfast.client.tasks;

import java.util.UUID;

/**
 * What came of a publish.
 *
 * @param messageId the broker's own id of the task, as its HTTP interface and dashboard show it
 * @param duplicate whether a task of that id was there already, so that nothing was published
 */
public record Published(UUID taskId, UUID messageId, boolean duplicate) {}
