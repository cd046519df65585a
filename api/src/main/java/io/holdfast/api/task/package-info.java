/** Tasks: messages whose progress is tracked. */
@NullMarked
package io.holdfast.api.task;

import org.jspecify.annotations.NullMarked;
