/** Commits, transactions, journals and records over HTTP: routes and their JSON. */
@NullMarked
package io.holdfast.server.commits;

import org.jspecify.annotations.NullMarked;
