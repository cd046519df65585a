/**
 * Tests of flows: the real engine in memory, a real worker, and time that passes by itself.
 *
 * <p>{@link io.holdfast.workflow.test.FlowTest} is where to begin. This package needs the engine.
 */
@NullMarked
package io.holdfast.workflow.test;

import org.jspecify.annotations.NullMarked;
