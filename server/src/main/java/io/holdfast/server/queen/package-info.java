/** The routes under {@code /api/v1}, in the words of Queen MQ. */
@NullMarked
package io.holdfast.server.queen;

import org.jspecify.annotations.NullMarked;
