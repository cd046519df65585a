/** The demo: a temporary broker with example workloads. */
@NullMarked
package io.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;
