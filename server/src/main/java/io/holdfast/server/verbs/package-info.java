/** The verbs of the broker as compact bytes, for our own client. */
@NullMarked
package io.holdfast.server.verbs;

import org.jspecify.annotations.NullMarked;
