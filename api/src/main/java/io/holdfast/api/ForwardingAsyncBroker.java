package io.holdfast.api;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;

/**
 * A broker that passes asynchronous calls on to those of another, too, so that they need no thread.
 *
 * <p>A subclass that overrides a blocking verb has to override the asynchronous one as well.
 */
public abstract class ForwardingAsyncBroker extends ForwardingBroker {
  protected ForwardingAsyncBroker(Broker target) {
    super(target);
  }

  @Override
  public AsyncResult<Pushed> pushAsync(PushRequest request) {
    return target().pushAsync(request);
  }

  @Override
  public AsyncResult<Popped> popAsync(PopRequest request) {
    return target().popAsync(request);
  }

  @Override
  public AsyncResult<Settled> settleAsync(SettleRequest request) {
    return target().settleAsync(request);
  }

  @Override
  public AsyncResult<Extended> extendAsync(ExtendRequest request) {
    return target().extendAsync(request);
  }

  @Override
  public AsyncResult<Committed> commitAsync(CommitRequest request) {
    return target().commitAsync(request);
  }
}
