/** Keys and certificates of the nodes of a cluster. */
@NullMarked
package io.holdfast.cluster.security;

import org.jspecify.annotations.NullMarked;
