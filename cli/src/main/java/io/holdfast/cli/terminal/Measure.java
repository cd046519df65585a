package io.holdfast.cli.terminal;

/** A value with a unit, which stands at the right of its column as numbers do. */
sealed interface Measure permits Age, ByteCount {}
