/** What the list of routes says of itself: OpenAPI, a page for people, and a page of the docs. */
@NullMarked
package io.holdfast.server.docs;

import org.jspecify.annotations.NullMarked;
