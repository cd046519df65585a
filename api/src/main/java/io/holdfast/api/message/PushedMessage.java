package io.holdfast.api.message;

import java.util.UUID;

/**
 * What became of one pushed message.
 *
 * @param id its id, or the id of the first message of that name if this one is a duplicate
 * @param duplicate whether a message of that transactionId was there already, so that this one was
 *     not stored
 * @param partition the number of its partition
 */
public record PushedMessage(UUID id, boolean duplicate, long partition) {}
