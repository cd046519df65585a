/**
 * Routes under {@code /api/v1} that Queen MQ does not have: commits with journals and records,
 * single messages by id, and tasks.
 */
@NullMarked
package io.holdfast.server.work;

import org.jspecify.annotations.NullMarked;
