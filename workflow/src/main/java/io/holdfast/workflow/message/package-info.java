/** What is sent to a flow or to those who do its work. */
@NullMarked
package io.holdfast.workflow.message;

import org.jspecify.annotations.NullMarked;
