/**
 * Durable functions on any broker: flows, the activities they call, and who runs them.
 *
 * <p>{@link io.holdfast.workflow.Flows} is where to begin.
 */
@NullMarked
package io.holdfast.workflow;

import org.jspecify.annotations.NullMarked;
