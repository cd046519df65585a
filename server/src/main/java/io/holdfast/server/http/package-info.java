/** HTTP and JSON by themselves: routes, calls, answers, problems; nothing of queues. */
@NullMarked
package io.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
