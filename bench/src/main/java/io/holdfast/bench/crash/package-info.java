/** A broker that is killed over and over, and the judge of what it kept. */
@NullMarked
package io.holdfast.bench.crash;

import org.jspecify.annotations.NullMarked;
