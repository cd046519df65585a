package io.holdfast.workflow.store;

import io.holdfast.api.wire.Form;
import org.jspecify.annotations.Nullable;

/** What a list of flows tells of each. */
public record Summary(@Nullable String version, long createdMs, long sinceMs, boolean hasParent) {
  public static final Form<Summary> FORM = Form.of(Summary.class);
}
