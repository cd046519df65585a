package io.holdfast.server.verbs;

import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import java.util.List;

/** Pops for a client that may go while it waits, or before it is answered. */
public final class Pops {
  private final Broker broker;

  public Pops(Broker broker) {
    this.broker = broker;
  }

  /** Watches the client only if there is nothing for it at once. */
  public Result<Popped> pop(Call call, PopRequest request) {
    if (request.waitMs() == 0) {
      return broker.pop(request);
    }
    // What comes with settles is one step, and cannot be asked in two.
    if (request.settles().isEmpty() && request.joinLease() == null) {
      Result<Popped> atOnce = broker.pop(request.waitMs(0));
      if (!(atOnce instanceof Result.Ok<Popped> ok && ok.value().isEmpty())) {
        return atOnce;
      }
    }
    return call.whileConnected(() -> broker.pop(request));
  }

  /** Has what an answer leased given back if it cannot be sent. */
  public Answer returning(PopRequest request, Popped popped, Answer answer) {
    Runnable back = () -> giveBack(request, popped);
    // What was settled, with the pop or by it, stays settled.
    return popped.leaseId().isEmpty() || !request.settles().isEmpty()
        ? answer.ifUnsent(back)
        : answer.undoneBy(back);
  }

  /** A client that is gone must not keep the others waiting until the lease expires. */
  private void giveBack(PopRequest request, Popped popped) {
    if (popped.leaseId().isEmpty()) {
      return;
    }
    // What a lease that was joined held before is not of this answer, and stays.
    List<Settle> back =
        request.joinLease() == null
            ? List.of(Settle.releaseAll(popped.leaseId()))
            : popped.messages().stream()
                .map(delivery -> Settle.release(delivery.handle()))
                .toList();
    broker.settle(SettleRequest.of(back));
  }
}
