package io.holdfast.api.commit;

import io.holdfast.api.Check;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations that happen all or not at all, in order: each sees what the earlier ones did.
 *
 * @param requestId makes a repeat of this commit harmless for {@link Limits#REQUEST_ID_MS}; null
 *     for none
 * @param number the same, in a producer session; null for none
 */
public record CommitRequest(
    List<Operation> operations, @Nullable String requestId, @Nullable RequestNumber number) {
  public CommitRequest {
    operations = Check.notEmpty("operations", operations);
    Check.within("operations", operations.size(), 1, Limits.OPERATIONS_MAX);
    if (requestId != null) {
      Check.key("requestId", requestId);
      if (number != null) {
        throw new InvalidArgumentException("number: expected none together with a requestId");
      }
    }
  }

  public CommitRequest(List<Operation> operations, @Nullable String requestId) {
    this(operations, requestId, null);
  }

  public static CommitRequest of(Operation... operations) {
    return new CommitRequest(List.of(operations), null);
  }

  public CommitRequest requestId(String id) {
    return new CommitRequest(operations, id);
  }

  public CommitRequest number(RequestNumber newNumber) {
    return new CommitRequest(operations, requestId, newNumber);
  }

  /** Whether the broker recognizes a repeat of it. */
  public boolean isNamed() {
    return requestId != null || number != null;
  }
}
