/**
 * What every load program shares: figures and aims, their report, payloads, callers, and the
 * directories and child JVMs they run in.
 */
@NullMarked
package io.holdfast.bench;

import org.jspecify.annotations.NullMarked;
