/** Bytes: the schema, and the two stores that keep it. */
@NullMarked
package io.holdfast.engine.store;

import org.jspecify.annotations.NullMarked;
