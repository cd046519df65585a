package io.holdfast.browser;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.status.About;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A real server over a real broker, and the quick ways to put something into it. */
final class Stage implements AutoCloseable {
  final Broker broker;
  final HoldfastServer server;

  Stage() {
    this(ServerConfig.defaults(), TimeSource.SYSTEM);
  }

  Stage(ServerConfig config, TimeSource time) {
    this(config, time, EngineConfig.inMemory(), About.NOTHING);
  }

  Stage(ServerConfig config, TimeSource time, EngineConfig engine, About about) {
    broker = EmbeddedBroker.open(engine, time);
    server = HoldfastServer.start(config.port(0), broker, time, about);
  }

  /** A server over a broker that is more than embedded. */
  Stage(UnaryOperator<Broker> wrapped) {
    broker = wrapped.apply(EmbeddedBroker.open(EngineConfig.inMemory(), TimeSource.SYSTEM));
    server = HoldfastServer.start(ServerConfig.defaults().port(0), broker);
  }

  int port() {
    return server.port();
  }

  void configure(String queue, Map<QueueOption, Object> options) {
    ConfigureRequest request = ConfigureRequest.queue(queue);
    for (Map.Entry<QueueOption, Object> option : options.entrySet()) {
      request = request.set(option.getKey(), option.getValue());
    }
    broker.configure(request).orThrow();
  }

  static NewMessage message(String queue, String json) {
    return NewMessage.to(queue, json.getBytes(StandardCharsets.UTF_8));
  }

  /** Pushes messages; answers the id of the last. */
  String push(NewMessage... messages) {
    return broker.push(PushRequest.of(messages)).orThrow().messages().getLast().id().toString();
  }

  String push(String queue, String json) {
    return push(message(queue, json));
  }

  List<Delivery> pop(String queue, String group, int batch) {
    return broker
        .pop(PopRequest.queue(queue).group(group).batch(batch).worker("worker-7"))
        .orThrow()
        .messages();
  }

  void nack(Delivery delivery, String error) {
    broker.settle(SettleRequest.of(Settle.nack(delivery.handle(), error))).orThrow();
  }

  void kill(Delivery delivery, String error) {
    broker.settle(SettleRequest.of(Settle.kill(delivery.handle(), error))).orThrow();
  }

  /** Acks many in one call. */
  void ack(List<Delivery> deliveries) {
    if (!deliveries.isEmpty()) {
      broker
          .settle(
              SettleRequest.of(
                  deliveries.stream().map(delivery -> Settle.ack(delivery.handle())).toList()))
          .orThrow();
    }
  }

  void ack(Delivery delivery) {
    broker.settle(SettleRequest.of(Settle.ack(delivery.handle()))).orThrow();
  }

  /** Pushes a message and makes it a dead letter of a group; answers its id. */
  String bury(String queue, String group, String json, String error) {
    String id = push(queue, json);
    pop(queue, group, 100).forEach(delivery -> kill(delivery, error));
    return id;
  }

  @Override
  public void close() {
    server.close();
  }
}
