package io.holdfast.client.consume;

/** Which consumer a listener is told of: the queue it takes from, and its group. */
public record ConsumerId(String queue, String group) {}
