/** Text for a terminal: escaped, laid out and styled; the screen and the keyboard. */
@NullMarked
package io.holdfast.cli.terminal;

import org.jspecify.annotations.NullMarked;
