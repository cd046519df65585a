/** Clients that misbehave, and how others fare beside them. */
@NullMarked
package io.holdfast.bench.abuse;

import org.jspecify.annotations.NullMarked;
