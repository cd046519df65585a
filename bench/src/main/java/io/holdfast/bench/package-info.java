/** Load programs that measure a Broker. */
@NullMarked
package io.holdfast.bench;

import org.jspecify.annotations.NullMarked;
