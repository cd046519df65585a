/** The flows of the {@code workflow} module, over HTTP. */
@NullMarked
package io.holdfast.server.flows;

import org.jspecify.annotations.NullMarked;
