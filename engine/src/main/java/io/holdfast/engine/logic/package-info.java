/**
 * The rules, pure: what each command does to the state and the rows of a shard. No clock, no
 * thread, no randomness, no I/O but through the batch it is given.
 *
 * <p>Every replica that applies the same commands does the same. The index and the formats of rows
 * are public to be read by the packages query and verify; only this package changes them.
 */
@NullMarked
package io.holdfast.engine.logic;

import org.jspecify.annotations.NullMarked;
