package io.holdfast.api.wire;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;

/**
 * A step before a broker: it passes every verb on, and a subclass does in {@link #ask} and {@link
 * #askAsync} what it does for some of them.
 */
public abstract class VerbStep extends VerbBroker {
  private final Broker target;

  protected VerbStep(Broker target) {
    this.target = target;
  }

  /** The broker that verbs are passed on to. */
  protected final Broker target() {
    return target;
  }

  @Override
  protected <I, O> Result<O> ask(Verb<I, O> verb, I request) {
    return verb.ask(target, request);
  }

  @Override
  protected <I, O> AsyncResult<O> askAsync(Verb<I, O> verb, I request) {
    return verb.askAsync(target, request);
  }

  /** Gives back what a pop took whose result nobody gets any more. */
  protected final void giveBack(Object request, Result<?> late) {
    if (request instanceof PopRequest pop
        && late instanceof Result.Ok<?> ok
        && ok.value() instanceof Popped popped) {
      pop.giveBack(Result.ok(popped), this);
    }
  }

  @Override
  public void close() {
    target.close();
  }
}
