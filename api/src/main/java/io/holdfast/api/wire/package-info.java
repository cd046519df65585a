/**
 * The verbs of a broker as compact bytes, for two ends that both speak Java.
 *
 * <p>The form follows from the records of the API: what they hold, in the order they declare it.
 * {@code docs/wire.md} describes it.
 */
@NullMarked
package io.holdfast.api.wire;

import org.jspecify.annotations.NullMarked;
