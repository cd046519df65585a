/** The commands about stored data: checkpoints, checks, repairs and keys. */
@NullMarked
package io.holdfast.cli.store;

import org.jspecify.annotations.NullMarked;
