/** The example of the guide. */
@NullMarked
package io.holdfast.client.tasks.guide;

import org.jspecify.annotations.NullMarked;
