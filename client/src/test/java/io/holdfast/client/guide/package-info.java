/** The code of the pages about the client. */
@NullMarked
package io.holdfast.client.guide;

import org.jspecify.annotations.NullMarked;
