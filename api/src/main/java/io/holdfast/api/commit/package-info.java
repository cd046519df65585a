/** Commits, and what only they change: journals, records, and the numbers of requests. */
@NullMarked
package io.holdfast.api.commit;

import org.jspecify.annotations.NullMarked;
