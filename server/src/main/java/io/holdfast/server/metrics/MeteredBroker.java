package io.holdfast.server.metrics;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
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
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.VerbStep;
import io.holdfast.api.wire.Verbs;

/**
 * A broker that passes every call on to another, and tells the meters what pushes, pops and settles
 * did.
 */
final class MeteredBroker extends VerbStep {
  private final BrokerMeters meters;

  MeteredBroker(Broker target, BrokerMeters meters) {
    super(target);
    this.meters = meters;
  }

  @Override
  protected <I, O> Result<O> ask(Verb<I, O> verb, I request) {
    long askedMs = meters.nowMs();
    Result<O> result = super.ask(verb, request);
    observe(verb, request, result, askedMs);
    return result;
  }

  @Override
  protected <I, O> AsyncResult<O> askAsync(Verb<I, O> verb, I request) {
    long askedMs = meters.nowMs();
    return super.askAsync(verb, request).peek(result -> observe(verb, request, result, askedMs));
  }

  private <I, O> void observe(Verb<I, O> verb, I request, Result<O> result, long askedMs) {
    if (result instanceof Result.Ok<O> ok) {
      observe(verb, request, ok.value(), askedMs);
    }
  }

  /**
   * A verb was done.
   *
   * @param askedMs when it came in
   */
  private void observe(Verb<?, ?> verb, Object request, Object done, long askedMs) {
    switch (request) {
      case PushRequest push -> meters.pushed(push, (Pushed) done);
      case PopRequest pop -> {
        meters.settled(pop.settles(), ((Popped) done).settled(), askedMs);
        meters.popped((Popped) done);
      }
      case SettleRequest settle ->
          meters.settled(settle.settles(), ((Settled) done).verdicts(), askedMs);
      case CommitRequest commit -> observe(commit, (Committed) done, askedMs);
      case Verbs.Named queue when verb == Verbs.DELETE_QUEUE -> meters.queues.forget(queue.name());
      default -> {}
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
}
