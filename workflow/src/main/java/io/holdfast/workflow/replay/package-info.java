/** The code of a flow, run on its history and then on what comes. */
@NullMarked
package io.holdfast.workflow.replay;

import org.jspecify.annotations.NullMarked;
