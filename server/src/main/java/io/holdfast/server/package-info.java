/** Any {@link io.holdfast.api.Broker} as HTTP and JSON. */
@org.jspecify.annotations.NullMarked
package io.holdfast.server;
