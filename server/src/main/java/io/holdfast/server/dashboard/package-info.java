/** The pages of the dashboard: files that hold no data; they ask the API for it. */
@NullMarked
package io.holdfast.server.dashboard;

import org.jspecify.annotations.NullMarked;
