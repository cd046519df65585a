/** A cluster of processes under load, disturbed on purpose, and judged by what it answered. */
@NullMarked
package io.holdfast.bench.cluster;

import org.jspecify.annotations.NullMarked;
