/** Commands that show and change a cluster. */
@NullMarked
package io.holdfast.cli.cluster;

import org.jspecify.annotations.NullMarked;
