/** What the server counts and measures, told in Prometheus text. */
@NullMarked
package io.holdfast.server.metrics;

import org.jspecify.annotations.NullMarked;
