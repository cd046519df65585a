/** Options and argument types that several commands share. */
@NullMarked
package io.holdfast.cli.options;

import org.jspecify.annotations.NullMarked;
