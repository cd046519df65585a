package io.holdfast.bench.http;

import io.holdfast.api.Broker;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.bench.CheckFailedException;
import java.util.List;

/** A caller of a broker, in this process or asked in the compact form. */
public final class BrokerSession implements Session {
  private final Broker broker;

  public BrokerSession(Broker broker) {
    this.broker = broker;
  }

  @Override
  public void push(String queue, String partition, List<byte[]> payloads) {
    List<NewMessage> messages =
        payloads.stream()
            .map(payload -> NewMessage.to(queue, payload).partition(partition))
            .toList();
    CheckFailedException.expectEqual(
        "answers to a push",
        payloads.size(),
        broker.push(PushRequest.of(messages)).orThrow().messages().size());
  }

  @Override
  public Got pop(String queue, int batch, long waitMs) {
    Popped popped = broker.pop(PopRequest.queue(queue).batch(batch).waitMs(waitMs)).orThrow();
    return popped.isEmpty()
        ? Got.NOTHING
        : new Got(
            popped.leaseId(),
            popped.messages().stream()
                .map(one -> Held.of(one.handle(), one.message().payload()))
                .toList());
  }

  @Override
  public void ack(Got got) {
    List<Settle> acks =
        got.messages().stream().map(held -> Settle.ack((Handle) held.ack())).toList();
    List<SettleVerdict> verdicts = broker.settle(SettleRequest.of(acks)).orThrow().verdicts();
    long acked =
        verdicts.stream().filter(verdict -> verdict.status() == SettleVerdict.Status.ACKED).count();
    CheckFailedException.expectEqual("messages acked", acks.size(), acked);
  }

  @Override
  public void close() {
    // The broker is not its own.
  }
}
