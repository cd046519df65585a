/** Flows as they lie in a broker: queues, journals and records. */
@NullMarked
package io.holdfast.workflow.store;

import org.jspecify.annotations.NullMarked;
