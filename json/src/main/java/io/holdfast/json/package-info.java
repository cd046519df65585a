/**
 * JSON objects that are declared once: read, written and described from their declaration.
 *
 * <p>Knows nothing of HTTP or queues.
 */
@NullMarked
package io.holdfast.json;

import org.jspecify.annotations.NullMarked;
