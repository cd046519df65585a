/** A broker in this process: the shard that owns the thread, and what surrounds it. */
@NullMarked
package io.holdfast.engine;

import org.jspecify.annotations.NullMarked;
