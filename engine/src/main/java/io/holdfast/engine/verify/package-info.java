/**
 * Checks of a store: the invariants of its rows, and of a data directory that no broker has open.
 * Nothing is changed.
 */
@NullMarked
package io.holdfast.engine.verify;

import org.jspecify.annotations.NullMarked;
