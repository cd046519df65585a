/** Tests of the archive that is installed, and of the files in {@code dist}. */
@NullMarked
package io.holdfast.packaging;

import org.jspecify.annotations.NullMarked;
