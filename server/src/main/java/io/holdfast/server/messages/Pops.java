package io.holdfast.server.messages;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;

/** Pops for a client that may go while it waits, or before it is answered. */
public final class Pops {
  private Pops() {}

  /** Pops; one that waits ends when the client goes. */
  public static AsyncResult<Popped> pop(Call call, PopRequest request) {
    AsyncResult<Popped> asked = call.broker().popAsync(request);
    return request.waitMs() == 0 ? asked : call.whileConnected(asked);
  }

  /** Has what an answer leased given back if it cannot be sent. */
  public static Answer returning(Broker broker, PopRequest request, Popped popped, Answer answer) {
    // A client that is gone must not keep the others waiting until the lease expires.
    Runnable back = () -> request.giveBack(Result.ok(popped), broker);
    // What was settled, with the pop or by it, stays settled.
    return popped.leaseId().isEmpty() || !request.settles().isEmpty()
        ? answer.ifUnsent(back)
        : answer.undoneBy(back);
  }
}
