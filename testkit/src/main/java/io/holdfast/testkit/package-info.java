/** What every Broker is tested with. */
@NullMarked
package io.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
