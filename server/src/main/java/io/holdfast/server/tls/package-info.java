/** TLS: keys that are read from files and read again, and handshakes that do not last for ever. */
@NullMarked
package io.holdfast.server.tls;

import org.jspecify.annotations.NullMarked;
