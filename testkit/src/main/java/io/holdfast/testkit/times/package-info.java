/** Measures how long test classes take. */
@NullMarked
package io.holdfast.testkit.times;

import org.jspecify.annotations.NullMarked;
