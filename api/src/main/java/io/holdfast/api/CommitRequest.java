package io.holdfast.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations that happen all or not at all, in order: each sees what the earlier ones did.
 *
 * @param requestId makes a repeat of this very commit harmless; null for none
 */
public record CommitRequest(List<Operation> operations, @Nullable String requestId) {
  public CommitRequest {
    operations = Check.notEmpty("operations", operations);
    Check.within("operations", operations.size(), 1, Limits.OPERATIONS_MAX);
    if (requestId != null) {
      Check.key("requestId", requestId);
    }
  }

  public static CommitRequest of(Operation... operations) {
    return new CommitRequest(List.of(operations), null);
  }

  public CommitRequest requestId(String id) {
    return new CommitRequest(operations, id);
  }
}
