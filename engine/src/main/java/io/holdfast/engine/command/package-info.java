/** Data only: what can be asked of a shard, what it answers, and how both look as bytes. */
@NullMarked
package io.holdfast.engine.command;

import org.jspecify.annotations.NullMarked;
