/** Tasks that are tracked from publish to completion. */
@NullMarked
package io.holdfast.client.tasks;

import org.jspecify.annotations.NullMarked;
