package io.holdfast.workflow.test;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import java.util.ArrayList;
import java.util.List;

/**
 * A broker in which every message to flows and workers comes twice.
 *
 * <p>The second one has no name, so that nothing finds or cancels it.
 *
 * <p>Thread: any.
 */
final class DoublingBroker extends ForwardingBroker {
  private final String prefix;
  private final long lateMs;

  /**
   * @param prefix of the queues whose messages come twice
   */
  DoublingBroker(Broker target, String prefix, long lateMs) {
    super(target);
    this.prefix = prefix;
    this.lateMs = lateMs;
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    Result<Pushed> pushed = super.push(request);
    List<NewMessage> again =
        request.messages().stream().filter(this::isDoubled).map(this::again).toList();
    if (pushed.isOk() && !again.isEmpty()) {
      super.push(PushRequest.of(again)).orThrow();
    }
    return pushed;
  }

  /** The second ones come last, so that a refusal names the same operation. */
  @Override
  public Result<Committed> commit(CommitRequest request) {
    List<Operation> operations = new ArrayList<>(request.operations());
    for (Operation operation : request.operations()) {
      if (operation instanceof Operation.PushMessage push
          && isDoubled(push.message())
          && operations.size() < Limits.OPERATIONS_MAX) {
        operations.add(new Operation.PushMessage(again(push.message()), true));
      }
    }
    return super.commit(new CommitRequest(operations, request.requestId(), request.number()));
  }

  private boolean isDoubled(NewMessage message) {
    return message.queue().equals(prefix) || message.queue().startsWith(prefix + ".work");
  }

  private NewMessage again(NewMessage message) {
    long visibleAtMs = message.visibleAtMs();
    return new NewMessage(
        message.queue(),
        message.partition(),
        message.lane(),
        message.payload(),
        null,
        message.headers(),
        visibleAtMs > 0 ? 0 : message.delayMs() + lateMs,
        visibleAtMs > 0 ? visibleAtMs + lateMs : 0);
  }
}
