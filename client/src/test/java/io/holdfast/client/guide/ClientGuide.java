package io.holdfast.client.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.consume.HeldMessage;
import io.holdfast.client.produce.Outgoing;
import io.holdfast.client.produce.PushBuffer;
import io.holdfast.client.remote.RemoteConfig;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;

/** The code of the client guide. */
final class ClientGuide {
  final Queue<String> billed = new ConcurrentLinkedQueue<>();

  private void bill(String order) {
    billed.add(order);
  }

  static Holdfast elsewhere() {
    Holdfast holdfast = Holdfast.connect("http://localhost:6632");
    return holdfast;
  }

  static PushedMessage here(Path directory) {
    try (Broker broker = EmbeddedBroker.open(EngineConfig.at(directory))) {
      Holdfast holdfast = Holdfast.on(broker);
      return holdfast.queue("orders").push("{\"id\":1}");
    }
  }

  static Holdfast carefully(String secret, SSLContext sslContext) {
    RemoteConfig config =
        RemoteConfig.of("https://a.example:6632", "https://b.example:6632")
            .token(secret)
            .tls(sslContext)
            .timeouts(Duration.ofSeconds(2), Duration.ofSeconds(10))
            .retries(8, Duration.ofMillis(50), Duration.ofSeconds(2));
    Holdfast holdfast = Holdfast.connect(config);
    return holdfast;
  }

  static void push(Holdfast holdfast) {
    holdfast.queue("orders").push("{\"id\":1}");

    Outgoing later =
        Outgoing.text("{\"id\":2}")
            .transactionId("order-2")
            .delay(Duration.ofMinutes(1))
            .priority(0);
    holdfast.queue("orders").partition("customer-7").push(later);

    // All or none.
    holdfast.queue("orders").push(List.of(Outgoing.text("3"), Outgoing.text("4")));
  }

  static PushedMessage buffer(Holdfast holdfast) {
    try (PushBuffer buffer = holdfast.queue("orders").buffer(100, Duration.ofMillis(50))) {
      CompletableFuture<PushedMessage> stored = buffer.push("{\"id\":3}");
      buffer.flush();
      return stored.join();
    }
  }

  static boolean asynchronously(Holdfast holdfast) {
    Broker broker = holdfast.broker();
    PushRequest request = PushRequest.of(NewMessage.to("orders", "{\"id\":4}".getBytes(UTF_8)));
    CompletableFuture<Boolean> stored = broker.pushAsync(request).thenApply(Result::isOk);

    AsyncResult<Popped> popped = broker.popAsync(PopRequest.queue("orders").waitMs(30_000));
    // It is answered soon, with the messages that it has; or with none.
    popped.stopWaiting();
    return stored.join() && popped.join().isOk();
  }

  Consumer consume(Holdfast holdfast) {
    Consumer consumer =
        holdfast
            .queue("orders")
            .group("billing")
            .batch(50)
            .concurrency(4)
            .each()
            .consume(message -> bill(message.text()));
    return consumer;
  }

  static Optional<HeldMessage> take(Holdfast holdfast) {
    Optional<HeldMessage> message =
        holdfast.queue("orders").group("billing").waitFor(Duration.ofSeconds(5)).take();
    message.ifPresent(HeldMessage::ack);
    return message;
  }

  static void forward(Holdfast holdfast, HeldMessage message) {
    holdfast
        .transaction()
        .ack(message)
        .queue("next-step")
        .partition("workflow-1")
        .push("{\"processed\":true}")
        .commit();
  }
}
