/** Calls between the nodes of a cluster: forwarded verbs, node status, checkpoints. */
@NullMarked
package io.holdfast.cluster.peer;

import org.jspecify.annotations.NullMarked;
