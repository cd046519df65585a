/** Work that goes on after it was answered: bounded, told of, and stopped when asked to. */
@NullMarked
package io.holdfast.server.jobs;

import org.jspecify.annotations.NullMarked;
