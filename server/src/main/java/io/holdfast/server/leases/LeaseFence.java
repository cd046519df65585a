package io.holdfast.server.leases;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.server.http.Problem;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lease of an ack that names none, in a transaction that requires leases.
 *
 * <p>Invariant: where leases are required, no ack goes out without one. The broker checks the lease
 * it is told; this only finds the one to tell.
 */
public final class LeaseFence {
  /** No lease has this id, so that what names it is refused as stale. */
  private static final String NO_LEASE = "none";

  private final Broker broker;

  public LeaseFence(Broker broker) {
    this.broker = broker;
  }

  /** The lease to settle a message under; null if none is required. */
  public @Nullable String leaseOf(AckItem item, Set<String> required) {
    String own = item.leaseId();
    if (own != null && !own.isEmpty()) {
      return own;
    }
    return switch (required.size()) {
      case 0 -> null;
      case 1 -> required.iterator().next();
      default -> holder(item, required);
    };
  }

  private String holder(AckItem item, Set<String> required) {
    Result<MessageDetail> found = broker.message(item.message());
    if (!(found instanceof Result.Ok<MessageDetail> ok)) {
      Refusal why = found.refusal();
      if (why.code() != ErrorCode.NOT_FOUND) {
        throw Problem.refused(why);
      }
      return NO_LEASE;
    }
    for (GroupView group : ok.value().groups()) {
      String lease = group.leaseId();
      if (lease != null && required.contains(lease) && item.isOf(group.group())) {
        return lease;
      }
    }
    return NO_LEASE;
  }
}
