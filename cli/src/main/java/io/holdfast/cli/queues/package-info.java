/** The commands that list and change queues. */
@NullMarked
package io.holdfast.cli.queues;

import org.jspecify.annotations.NullMarked;
