/** Other message systems, each through its usual Java client, for {@code bench peers}. */
@NullMarked
package io.holdfast.peers;

import org.jspecify.annotations.NullMarked;
