/** One broker on several nodes: the log is replicated with Apache Ratis. */
@NullMarked
package io.holdfast.cluster;

import org.jspecify.annotations.NullMarked;
