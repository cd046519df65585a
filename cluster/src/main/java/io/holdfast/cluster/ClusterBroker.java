package io.holdfast.cluster;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Result;
import io.holdfast.api.StaleReads;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.VerbBroker;
import io.holdfast.api.wire.Verbs;
import io.holdfast.client.AttemptIds;
import io.holdfast.client.NumberedRequest;
import io.holdfast.client.RequestSlots;
import java.util.function.Function;

/**
 * The broker of a cluster, as any of its nodes offers it: the broker of this node answers if it
 * leads, else the one of the node that does.
 *
 * <p>A push or commit without request id gets a number, and a pop an attempt id; so they can be
 * repeated when the leader changes, and take effect once. {@link StaleReads} are answered by this
 * node, whether it leads or not.
 *
 * <p>Thread: any.
 */
public final class ClusterBroker extends VerbBroker {
  private final CallRouter router;
  private final Runnable onClose;
  private final RequestSlots slots =
      new RequestSlots(this::openSession, () -> askAsync(Verbs.OPEN_SESSION, new Verbs.Nothing()));

  /**
   * @param onClose closes the node
   */
  ClusterBroker(CallRouter router, Runnable onClose) {
    this.router = router;
    this.onClose = onClose;
  }

  @Override
  protected <I, O> Result<O> ask(Verb<I, O> verb, I request) {
    if (StaleReads.areWanted() && RepeatRules.READS.contains(verb)) {
      return verb.ask(router.own, request);
    }
    return new RoutedCall<>(router, verb, request).askHereFirst();
  }

  @Override
  protected <I, O> AsyncResult<O> askAsync(Verb<I, O> verb, I request) {
    RoutedCall<I, O> call = new RoutedCall<>(router, verb, request);
    call.attempt();
    return call;
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    return request.isNamed()
        ? ask(Verbs.PUSH, request)
        : numbered(number -> ask(Verbs.PUSH, request.number(number)));
  }

  @Override
  public AsyncResult<Pushed> pushAsync(PushRequest request) {
    return request.isNamed()
        ? askAsync(Verbs.PUSH, request)
        : numberedAsync(number -> askAsync(Verbs.PUSH, request.number(number)));
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    return request.isNamed()
        ? ask(Verbs.COMMIT, request)
        : numbered(number -> ask(Verbs.COMMIT, request.number(number)));
  }

  @Override
  public AsyncResult<Committed> commitAsync(CommitRequest request) {
    return request.isNamed()
        ? askAsync(Verbs.COMMIT, request)
        : numberedAsync(number -> askAsync(Verbs.COMMIT, request.number(number)));
  }

  private <O> Result<O> numbered(Function<RequestNumber, Result<O>> request) {
    NumberedRequest once = new NumberedRequest(slots);
    try {
      return once.send(request);
    } finally {
      once.end();
    }
  }

  private <O> AsyncResult<O> numberedAsync(Function<RequestNumber, AsyncResult<O>> request) {
    NumberedRequest once = new NumberedRequest(slots);
    AsyncResult<O> result = new AsyncResult<>();
    once.sendAsync(
        request,
        (answer, failure) -> {
          // Only now: a result that was cancelled may still be under way.
          once.end();
          if (answer != null) {
            result.answer(answer);
          } else if (failure != null) {
            result.completeExceptionally(failure);
          }
        });
    return result;
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    return ask(Verbs.POP, repeatable(request));
  }

  @Override
  public AsyncResult<Popped> popAsync(PopRequest request) {
    return askAsync(Verbs.POP, repeatable(request));
  }

  private static PopRequest repeatable(PopRequest request) {
    boolean needsId =
        request.attemptId() == null && request.joinLease() == null && !request.autoAck();
    return needsId ? request.attemptId(AttemptIds.next()) : request;
  }

  /** Closes the node. */
  @Override
  public void close() {
    onClose.run();
  }
}
