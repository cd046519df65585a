/** How the broker is and was: samples, series, live numbers, and what goes on in the background. */
@NullMarked
package io.holdfast.server.status;

import org.jspecify.annotations.NullMarked;
