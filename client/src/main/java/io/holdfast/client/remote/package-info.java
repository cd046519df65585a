/** A broker over HTTP. */
@NullMarked
package io.holdfast.client.remote;

import org.jspecify.annotations.NullMarked;
