package io.holdfast.workflow.store;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Handle;
import java.util.List;

/** A flow that has something to do: all that came for it, in order. */
public record FetchedTurn(String id, List<Delivery> messages) {
  public List<Handle> handles() {
    return messages.stream().map(Delivery::handle).toList();
  }
}
