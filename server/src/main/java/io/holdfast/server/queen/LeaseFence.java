package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.MessageDetail;
import io.holdfast.api.MessageDetail.GroupView;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lease of an ack that names none, in a transaction that requires leases.
 *
 * <p>Invariant: where leases are required, no ack goes out without one. The broker checks the lease
 * it is told; this only finds the one to tell.
 */
final class LeaseFence {
  /** No lease has this id, so that what names it is refused as stale. */
  private static final String NO_LEASE = "none";

  private final Broker broker;

  LeaseFence(Broker broker) {
    this.broker = broker;
  }

  static List<String> readRequired(JsonIn in) {
    List<String> leases = new ArrayList<>();
    if (in.isNull()) {
      return leases;
    }
    in.beginArray();
    while (in.nextElement()) {
      String lease = in.text();
      if (lease.isEmpty()) {
        throw in.wrong("the id of a lease");
      }
      if (!leases.contains(lease)) {
        leases.add(lease);
      }
    }
    return leases;
  }

  /** The lease to settle a message under; null if none is required. */
  @Nullable String leaseOf(AckItem item, List<String> required) {
    String own = item.leaseId;
    if (own != null && !own.isEmpty()) {
      return own;
    }
    return switch (required.size()) {
      case 0 -> null;
      case 1 -> required.getFirst();
      default -> holder(item, required);
    };
  }

  private String holder(AckItem item, List<String> required) {
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
