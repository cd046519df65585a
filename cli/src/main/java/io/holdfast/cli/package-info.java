/** The command line: parses, wires and starts; alone in reading configuration. */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
