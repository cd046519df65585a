/** Dead letters: listing, requeueing and removing them. */
@NullMarked
package io.holdfast.api.dead;

import org.jspecify.annotations.NullMarked;
