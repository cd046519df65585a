/**
 * Who asks, and what they may: tokens, the door, the guarded broker, and what is told of it all.
 */
@NullMarked
package io.holdfast.server.access;

import org.jspecify.annotations.NullMarked;
