/** The command line: its entry point and the list of all commands. */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
