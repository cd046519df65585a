/** Pushing, popping, listing and changing messages over HTTP: routes and their JSON. */
@NullMarked
package io.holdfast.server.messages;

import org.jspecify.annotations.NullMarked;
