package io.holdfast.engine.query;

import io.holdfast.engine.logic.ShardState;
import io.holdfast.engine.store.View;

/**
 * A shard between two commands, to be looked at and not to be changed.
 *
 * @param rows the rows, including those not yet written
 */
public record ShardView(ShardState state, View rows, long nowMs) {}
