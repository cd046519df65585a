/** The same workloads against Holdfast and other message systems, in the same run. */
@NullMarked
package io.holdfast.bench.peers;

import org.jspecify.annotations.NullMarked;
