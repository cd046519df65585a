/** The commands about access tokens. */
@NullMarked
package io.holdfast.cli.access;

import org.jspecify.annotations.NullMarked;
