/** Leases: popping messages, settling them and extending the time. */
@NullMarked
package io.holdfast.api.lease;

import org.jspecify.annotations.NullMarked;
