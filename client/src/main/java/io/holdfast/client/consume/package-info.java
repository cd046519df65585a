/** Consuming with leases renewed, acks sent and failures told. */
@NullMarked
package io.holdfast.client.consume;

import org.jspecify.annotations.NullMarked;
