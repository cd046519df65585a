/** Notes that workers make about messages, as Queen knows them. */
@NullMarked
package io.holdfast.server.traces;

import org.jspecify.annotations.NullMarked;
