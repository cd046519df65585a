/** What the pages cost: how soon they have their answers, and what is left for messages. */
@NullMarked
package io.holdfast.bench.dashboard;

import org.jspecify.annotations.NullMarked;
