/** Queues and partitions: their options, how much they hold, and changes to them. */
@NullMarked
package io.holdfast.server.queues;

import org.jspecify.annotations.NullMarked;
