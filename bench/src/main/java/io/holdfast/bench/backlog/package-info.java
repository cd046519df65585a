/** What a large backlog costs: speed, memory, disk, and the time to open it again. */
@NullMarked
package io.holdfast.bench.backlog;

import org.jspecify.annotations.NullMarked;
