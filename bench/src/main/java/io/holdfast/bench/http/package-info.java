/** The speed of a server over HTTP, beside that of an embedded broker doing the same. */
@NullMarked
package io.holdfast.bench.http;

import org.jspecify.annotations.NullMarked;
