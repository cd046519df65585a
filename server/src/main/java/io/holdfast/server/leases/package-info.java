/** Settling messages and extending leases over HTTP: routes and their JSON. */
@NullMarked
package io.holdfast.server.leases;

import org.jspecify.annotations.NullMarked;
