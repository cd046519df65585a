package io.holdfast.api.message;

import java.util.UUID;

/**
 * What a cancel or a reschedule found.
 *
 * @param state the state the message was in, for the group that had come furthest with it
 * @param visibleAtMs when it is visible now; 0 if it was cancelled
 */
public record Moved(UUID id, MessageState state, long visibleAtMs) {}
