package io.holdfast.server.metrics;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingAsyncBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.queue.Affected;

/**
 * A broker that passes every call on to another, and tells the meters what pushes, pops and settles
 * did.
 */
final class MeteredBroker extends ForwardingAsyncBroker {
  private final BrokerMeters meters;

  MeteredBroker(Broker target, BrokerMeters meters) {
    super(target);
    this.meters = meters;
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    Result<Pushed> result = super.push(request);
    pushed(request, result);
    return result;
  }

  @Override
  public AsyncResult<Pushed> pushAsync(PushRequest request) {
    return target().pushAsync(request).peek(result -> pushed(request, result));
  }

  private void pushed(PushRequest request, Result<Pushed> result) {
    if (result instanceof Result.Ok<Pushed> ok) {
      meters.pushed(request, ok.value());
    }
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    long askedMs = meters.nowMs();
    Result<Popped> result = super.pop(request);
    popped(request, result, askedMs);
    return result;
  }

  @Override
  public AsyncResult<Popped> popAsync(PopRequest request) {
    long askedMs = meters.nowMs();
    return target().popAsync(request).peek(result -> popped(request, result, askedMs));
  }

  private void popped(PopRequest request, Result<Popped> result, long askedMs) {
    if (result instanceof Result.Ok<Popped> ok) {
      meters.settled(request.settles(), ok.value().settled(), askedMs);
      meters.popped(ok.value());
    }
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    long askedMs = meters.nowMs();
    Result<Settled> result = super.settle(request);
    settled(request, result, askedMs);
    return result;
  }

  @Override
  public AsyncResult<Settled> settleAsync(SettleRequest request) {
    long askedMs = meters.nowMs();
    return target().settleAsync(request).peek(result -> settled(request, result, askedMs));
  }

  private void settled(SettleRequest request, Result<Settled> result, long askedMs) {
    if (result instanceof Result.Ok<Settled> ok) {
      meters.settled(request.settles(), ok.value().verdicts(), askedMs);
    }
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    long askedMs = meters.nowMs();
    Result<Committed> result = super.commit(request);
    committed(request, result, askedMs);
    return result;
  }

  @Override
  public AsyncResult<Committed> commitAsync(CommitRequest request) {
    long askedMs = meters.nowMs();
    return target().commitAsync(request).peek(result -> committed(request, result, askedMs));
  }

  private void committed(CommitRequest request, Result<Committed> result, long askedMs) {
    if (result instanceof Result.Ok<Committed> ok) {
      observe(request, ok.value(), askedMs);
    }
  }

  private void observe(CommitRequest request, Committed committed, long askedMs) {
    // A request id that was used before may be answered for other operations.
    int steps = Math.min(request.operations().size(), committed.steps().size());
    for (int i = 0; i < steps; i++) {
      observe(request.operations().get(i), committed.steps().get(i), askedMs);
    }
  }

  private void observe(Operation operation, Committed.Step step, long askedMs) {
    if (operation instanceof Operation.SettleMessage asked
        && step instanceof Committed.Step.MessageSettled done) {
      meters.settled(asked.settle(), done.verdict(), askedMs);
    } else if (operation instanceof Operation.PushMessage asked
        && step instanceof Committed.Step.MessagePushed done
        && !done.message().duplicate()) {
      meters.pushed(asked.message());
    }
  }

  @Override
  public Result<Affected> deleteQueue(String queue) {
    Result<Affected> result = super.deleteQueue(queue);
    if (result.isOk()) {
      meters.queues.forget(queue);
    }
    return result;
  }
}
