/** Results and errors of commands: their formats, streams and exit codes. */
@NullMarked
package io.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
