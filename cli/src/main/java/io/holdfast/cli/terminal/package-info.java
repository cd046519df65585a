/** How the command line speaks to people: what is safe to show, how it is laid out, and where. */
@NullMarked
package io.holdfast.cli.terminal;

import org.jspecify.annotations.NullMarked;
