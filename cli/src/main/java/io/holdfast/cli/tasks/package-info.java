/** The commands about tasks. */
@NullMarked
package io.holdfast.cli.tasks;

import org.jspecify.annotations.NullMarked;
