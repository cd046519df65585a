package io.holdfast.client.acks;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks a broker to settle bookmarks, and tells what became of each.
 *
 * <p>It never throws for what a broker does: no answer and a refusal are verdicts too.
 *
 * <p>Thread: any.
 */
final class AckSender {
  private final Broker broker;

  AckSender(Broker broker) {
    this.broker = broker;
  }

  /** One settle of one bookmark. */
  record Order(Bookmark bookmark, Settle settle) {
    static Order ack(Bookmark bookmark) {
      return new Order(bookmark, bookmark.ack());
    }

    static Order release(Bookmark bookmark) {
      return new Order(bookmark, Settle.release(bookmark.handle()));
    }

    static Order nack(Bookmark bookmark, String error) {
      return new Order(bookmark, Settle.nack(bookmark.handle(), error));
    }
  }

  /**
   * Sends orders as one request, each decided by itself; as several only if they are more than one
   * request may carry.
   *
   * @param repeated whether a bookmark that was settled before can only have been so by an earlier
   *     try of its order
   */
  AckResult send(String topic, String subId, List<Order> orders, Predicate<Order> repeated) {
    List<AckVerdict> verdicts = new ArrayList<>(orders.size());
    RuntimeException failure = null;
    for (int from = 0; from < orders.size(); from += Limits.OPERATIONS_MAX) {
      List<Order> part =
          orders.subList(from, Math.min(orders.size(), from + Limits.OPERATIONS_MAX));
      if (failure == null) {
        failure = send(part, repeated, verdicts);
      } else {
        addFailed(part, AckVerdict.Status.UNSENT, failure, verdicts);
      }
    }
    return new AckResult(topic, subId, verdicts, failure);
  }

  private @Nullable RuntimeException send(
      List<Order> orders, Predicate<Order> repeated, List<AckVerdict> verdicts) {
    Result<Settled> answer;
    try {
      answer = broker.settle(SettleRequest.of(orders.stream().map(Order::settle).toList()));
    } catch (UnreachableException unreachable) {
      addFailed(orders, doubt(unreachable.isInDoubt()), unreachable, verdicts);
      return unreachable;
    } catch (RuntimeException unexpected) {
      addFailed(orders, AckVerdict.Status.IN_DOUBT, unexpected, verdicts);
      return unexpected;
    }
    if (!answer.isOk()) {
      RefusedException refused = new RefusedException(answer.refusal());
      addFailed(orders, AckVerdict.Status.UNSENT, refused, verdicts);
      return refused;
    }
    List<SettleVerdict> told = answer.orThrow().verdicts();
    for (int i = 0; i < orders.size(); i++) {
      Order order = orders.get(i);
      verdicts.add(AckVerdict.of(order, told.get(i), repeated.test(order)));
    }
    return null;
  }

  private static AckVerdict.Status doubt(boolean inDoubt) {
    return inDoubt ? AckVerdict.Status.IN_DOUBT : AckVerdict.Status.UNSENT;
  }

  private static void addFailed(
      List<Order> orders,
      AckVerdict.Status status,
      RuntimeException failure,
      List<AckVerdict> verdicts) {
    ErrorCode code = failure instanceof RefusedException refused ? refused.code() : null;
    String reason = status + ": " + failure.getMessage();
    for (Order order : orders) {
      verdicts.add(new AckVerdict(order.bookmark().text(), status, code, reason));
    }
  }
}
