/** The commands that list, move and delete consumer groups. */
@NullMarked
package io.holdfast.cli.groups;

import org.jspecify.annotations.NullMarked;
