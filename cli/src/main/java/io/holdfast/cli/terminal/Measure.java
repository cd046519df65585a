package io.holdfast.cli.terminal;

/** A value with a unit, aligned to the right like numbers. */
sealed interface Measure permits Age, ByteCount {}
