/** Operations over very many partitions, and what others notice of them. */
@NullMarked
package io.holdfast.bench.steps;

import org.jspecify.annotations.NullMarked;
