/** The routes that only clients of Queen call, in its words. */
@NullMarked
package io.holdfast.server.compat.queen;

import org.jspecify.annotations.NullMarked;
