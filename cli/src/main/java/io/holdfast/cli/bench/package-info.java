/** The commands that run benchmarks. */
@NullMarked
package io.holdfast.cli.bench;

import org.jspecify.annotations.NullMarked;
