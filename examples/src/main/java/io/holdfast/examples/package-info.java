/** Small programs that show how the client is used, each a pattern of its guide. */
@NullMarked
package io.holdfast.examples;

import org.jspecify.annotations.NullMarked;
