/** The commands about dead letters. */
@NullMarked
package io.holdfast.cli.deadletters;

import org.jspecify.annotations.NullMarked;
