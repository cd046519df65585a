/** TLS: keys that are read from files, and read again when the files change. */
@NullMarked
package io.holdfast.server.tls;

import org.jspecify.annotations.NullMarked;
