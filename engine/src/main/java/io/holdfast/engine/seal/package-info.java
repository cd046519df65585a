/** Payloads encrypted at rest: keys, the file they are kept in, sealing and opening. */
@NullMarked
package io.holdfast.engine.seal;

import org.jspecify.annotations.NullMarked;
