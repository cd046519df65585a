/** Messages: pushing, finding, cancelling and moving them. */
@NullMarked
package io.holdfast.api.message;

import org.jspecify.annotations.NullMarked;
