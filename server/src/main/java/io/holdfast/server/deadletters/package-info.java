/** Dead letters: lists, export, error counts, requeue and removal. */
@NullMarked
package io.holdfast.server.deadletters;

import org.jspecify.annotations.NullMarked;
