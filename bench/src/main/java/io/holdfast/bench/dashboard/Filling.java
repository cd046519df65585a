package io.holdfast.bench.dashboard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.remote.RemoteBroker;
import java.util.ArrayList;
import java.util.List;

/** What a broker holds that is hard to show: many queues, many dead letters, many tasks. */
final class Filling {
  static final String DEAD = "dead";
  static final String TASKS = "tasks";
  static final String GROUP = "billing";

  private static final int BATCH = 1_000;
  private static final byte[] PAYLOAD = "{\"order\":17,\"customer\":\"ada\"}".getBytes(US_ASCII);
  private static final List<String> ERRORS =
      List.of(
          "order %d: no such account",
          "the bank did not answer within %d ms",
          "java.lang.IllegalStateException: item %d is gone",
          "card %d expired");

  private final RemoteBroker broker;

  Filling(RemoteBroker broker) {
    this.broker = broker;
  }

  void queues(int count) {
    for (int from = 0; from < count; from += BATCH) {
      List<NewMessage> messages = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + BATCH); i++) {
        messages.add(NewMessage.to("queue-" + i, PAYLOAD));
      }
      broker.push(PushRequest.of(messages)).orThrow();
    }
  }

  /** Makes dead letters; answers the id of one. */
  String deadLetters(int count) {
    broker.configure(ConfigureRequest.queue(DEAD).set(QueueOption.DELIVERY, "shared")).orThrow();
    String id = "";
    for (int from = 0; from < count; from += BATCH) {
      push(DEAD, Math.min(BATCH, count - from));
      List<Settle> kills = new ArrayList<>();
      for (Delivery taken :
          broker.pop(PopRequest.queue(DEAD).group(GROUP).batch(BATCH)).orThrow().messages()) {
        int number = from + kills.size();
        kills.add(
            Settle.kill(taken.handle(), ERRORS.get(number % ERRORS.size()).formatted(number)));
        id = taken.message().id().toString();
      }
      broker.settle(SettleRequest.of(kills)).orThrow();
    }
    return id;
  }

  void tasks(int count) {
    broker
        .configure(
            ConfigureRequest.queue(TASKS)
                .set(QueueOption.TRACK, true)
                .set(QueueOption.DELIVERY, "shared"))
        .orThrow();
    for (int from = 0; from < count; from += BATCH) {
      push(TASKS, Math.min(BATCH, count - from));
    }
  }

  private void push(String queue, int count) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(NewMessage.to(queue, PAYLOAD));
    }
    broker.push(PushRequest.of(messages)).orThrow();
  }
}
