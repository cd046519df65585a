/** {@code bench flows}: durable flows, on a broker of this JVM and over HTTP. */
@NullMarked
package io.holdfast.bench.flows;

import org.jspecify.annotations.NullMarked;
