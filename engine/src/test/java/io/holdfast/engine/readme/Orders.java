package io.holdfast.engine.readme;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.Broker;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.nio.file.Path;
import java.util.List;

/** The example of the README. */
public final class Orders {
  private Orders() {}

  public static void run(Path directory) {
    try (Broker broker = EmbeddedBroker.open(EngineConfig.at(directory))) {
      // Push. When this returns, the three orders would survive a power cut.
      broker.push(PushRequest.of(order("o-1"), order("o-2"), order("o-3"))).orThrow();

      // Pop up to ten, leased for 30 seconds; wait up to 5 seconds if there are none.
      PopRequest pop = PopRequest.queue("orders").batch(10).leaseMs(30_000).waitMs(5_000);
      List<Delivery> orders = broker.pop(pop).orThrow().messages();

      // Done: it is not delivered again.
      broker.settle(SettleRequest.of(Settle.ack(orders.get(0).handle()))).orThrow();

      // Done, and an invoice follows: both happen, or neither.
      broker
          .commit(
              CommitRequest.of(
                  new Operation.SettleMessage(Settle.ack(orders.get(1).handle())),
                  new Operation.PushMessage(message("invoices", "i-2"), false)))
          .orThrow();

      // Failed: it is delivered again after a second, and dead after the fourth failure.
      broker.settle(SettleRequest.of(Settle.nack(orders.get(2).handle(), "no stock"))).orThrow();
    }
  }

  private static NewMessage order(String id) {
    return message("orders", "{\"order\":\"" + id + "\"}").transactionId(id);
  }

  private static NewMessage message(String queue, String text) {
    return NewMessage.to(queue, text.getBytes(UTF_8));
  }
}
