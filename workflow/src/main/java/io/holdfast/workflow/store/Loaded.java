package io.holdfast.workflow.store;

import io.holdfast.workflow.history.History;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flow as it lies in the broker.
 *
 * @param flow its record; null if there is none
 * @param history of its current execution; null if it cannot be read
 * @param length how many events that history holds, readable or not
 * @param unreadable why the history cannot be read; null if it can
 * @param inbox the messages that were kept for it
 * @param begunVersion of the record that says what is to be known before it begins; 0 for none
 */
public record Loaded(
    @Nullable FlowRecord flow,
    @Nullable History history,
    long length,
    @Nullable String unreadable,
    List<byte[]> inbox,
    long begunVersion) {
  /** Whether no turn of it has been. */
  public boolean isNew() {
    return flow == null || flow.isNew();
  }
}
