package io.holdfast.workflow.store;

import java.util.List;

/** Things to do that one lease holds; none without a lease. */
public record Fetched<T>(String leaseId, List<T> items) {
  public boolean isEmpty() {
    return items.isEmpty();
  }
}
