/** Connections: their bytes, threads, limits and deadlines. It alone sees Netty, besides TLS. */
@NullMarked
package io.holdfast.server.net;

import org.jspecify.annotations.NullMarked;
