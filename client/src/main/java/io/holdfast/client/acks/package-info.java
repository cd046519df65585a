/** Acknowledgements that are buffered at the client. */
@NullMarked
package io.holdfast.client.acks;

import org.jspecify.annotations.NullMarked;
