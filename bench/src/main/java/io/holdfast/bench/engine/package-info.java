/**
 * The speed of each verb of an embedded broker, beside what the machine and bare RocksDB can do.
 */
@NullMarked
package io.holdfast.bench.engine;

import org.jspecify.annotations.NullMarked;
