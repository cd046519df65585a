/** The routes under {@code /queue}: a priority queue that one lock guards at a time. */
@NullMarked
package io.holdfast.server.compat.priority;

import org.jspecify.annotations.NullMarked;
