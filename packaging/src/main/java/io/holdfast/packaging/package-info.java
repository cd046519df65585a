/** Makes the archive that is installed. */
@NullMarked
package io.holdfast.packaging;

import org.jspecify.annotations.NullMarked;
