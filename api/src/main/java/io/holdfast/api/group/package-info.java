/** Consumer groups: where they begin, how far they are, moving them. */
@NullMarked
package io.holdfast.api.group;

import org.jspecify.annotations.NullMarked;
