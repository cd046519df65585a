/** Consumer groups: how far they are behind, and where they read. */
@NullMarked
package io.holdfast.server.groups;

import org.jspecify.annotations.NullMarked;
