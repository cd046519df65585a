/** Pushing, one by one or through a buffer. */
@NullMarked
package io.holdfast.client.produce;

import org.jspecify.annotations.NullMarked;
