/** Looking after flows: lists, histories, and acts on them. */
@NullMarked
package io.holdfast.workflow.admin;

import org.jspecify.annotations.NullMarked;
