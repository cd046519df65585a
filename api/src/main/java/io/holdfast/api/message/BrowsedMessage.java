package io.holdfast.api.message;

/** A message and its state as one group sees it. */
public record BrowsedMessage(Message message, MessageState state, int failures, long visibleAtMs) {}
