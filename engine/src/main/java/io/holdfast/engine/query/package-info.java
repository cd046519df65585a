/**
 * Lists, browse and explain: what one node reads of its index and its rows to answer a question. It
 * changes neither, and nothing that a replica applies depends on it.
 */
@NullMarked
package io.holdfast.engine.query;

import org.jspecify.annotations.NullMarked;
