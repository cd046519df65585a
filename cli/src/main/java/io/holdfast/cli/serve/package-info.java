/** The command that runs a broker with an HTTP server, and its configuration. */
@NullMarked
package io.holdfast.cli.serve;

import org.jspecify.annotations.NullMarked;
