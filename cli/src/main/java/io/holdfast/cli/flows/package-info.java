/** The commands about durable flows. */
@NullMarked
package io.holdfast.cli.flows;

import org.jspecify.annotations.NullMarked;
