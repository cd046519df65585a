/** What happened to a flow, as events that are written once and never changed. */
@NullMarked
package io.holdfast.workflow.history;

import org.jspecify.annotations.NullMarked;
