/** Tasks of queues that track their messages. */
@NullMarked
package io.holdfast.server.tasks;

import org.jspecify.annotations.NullMarked;
