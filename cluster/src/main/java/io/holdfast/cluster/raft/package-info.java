/** The replicated log: Apache Ratis orders entries, a shard applies them. */
@NullMarked
package io.holdfast.cluster.raft;

import org.jspecify.annotations.NullMarked;
