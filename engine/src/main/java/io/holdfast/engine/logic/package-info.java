/**
 * The rules, pure: what each command does to the state and the rows of a shard. No clock, no
 * thread, no randomness, no I/O but through the batch it is given.
 */
@NullMarked
package io.holdfast.engine.logic;

import org.jspecify.annotations.NullMarked;
