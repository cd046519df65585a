/** Queues and their partitions: options, counts, lists. */
@NullMarked
package io.holdfast.api.queue;

import org.jspecify.annotations.NullMarked;
