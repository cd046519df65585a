/** The verbs of the broker in frames: many requests on one connection, for our own client. */
@NullMarked
package io.holdfast.server.frames;

import org.jspecify.annotations.NullMarked;
