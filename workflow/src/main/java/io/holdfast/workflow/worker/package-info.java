/** Those who take turns and work from a broker. */
@NullMarked
package io.holdfast.workflow.worker;

import org.jspecify.annotations.NullMarked;
