package io.holdfast.client.tasks;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task that one subscriber could not do, kept for somebody to look at.
 *
 * @param failureReason why it is here
 * @param attempts how often it failed or ran out of time
 * @param lastError what the last failure said; null if it said nothing
 * @param errors what each attempt said, oldest first; the broker keeps the newest 32
 */
public record DlqEntry(
    Task task,
    String subscriber,
    String failureReason,
    int attempts,
    @Nullable String lastError,
    List<String> errors,
    Instant addedAt) {
  public DlqEntry {
    errors = List.copyOf(errors);
  }
}
