/** Programs that the launcher runs after a build, to record AOT caches. */
@NullMarked
package io.holdfast.cli.training;

import org.jspecify.annotations.NullMarked;
