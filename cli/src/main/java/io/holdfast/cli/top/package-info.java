/** The command that shows a live view of a server. */
@NullMarked
package io.holdfast.cli.top;

import org.jspecify.annotations.NullMarked;
