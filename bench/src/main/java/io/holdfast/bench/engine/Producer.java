package io.holdfast.bench.engine;

import io.holdfast.api.Broker;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One pusher of batches.
 *
 * <p>Thread: one at a time.
 */
final class Producer {
  private final Broker broker;
  private final int batch;
  private final boolean named;

  /**
   * @param named whether each message gets a transactionId of its own
   */
  Producer(Broker broker, int batch, boolean named) {
    this.broker = broker;
    this.batch = batch;
    this.named = named;
  }

  /**
   * Pushes one batch and waits for its acknowledgement.
   *
   * @param source who numbers the messages
   * @param from the number of the first
   */
  long push(String partition, int source, long from) {
    List<NewMessage> messages = new ArrayList<>(batch);
    for (int i = 0; i < batch; i++) {
      long seq = from + i;
      messages.add(
          new NewMessage(
              Setting.QUEUE,
              partition,
              0,
              Payload.of(source, seq),
              named ? source + "-" + seq : null,
              Map.of(),
              0,
              0));
    }
    Pushed pushed = broker.push(PushRequest.of(messages)).orThrow();
    CheckFailedException.expectEqual("answers to a push", batch, pushed.messages().size());
    if (pushed.messages().stream().anyMatch(message -> message.duplicate())) {
      throw new CheckFailedException("a new message was called a duplicate");
    }
    return batch;
  }
}
