package io.holdfast.client.guide;

import io.holdfast.api.Broker;
import io.holdfast.client.acks.AckClient;
import io.holdfast.client.acks.AckClientConfig;
import io.holdfast.client.acks.AckListener;
import io.holdfast.client.acks.AckResult;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Logger;

/** The code of the guide to client-side acks. */
final class AcksGuide {
  private static final Logger LOG = Logger.getLogger(AcksGuide.class.getName());

  final Queue<byte[]> processed = new ConcurrentLinkedQueue<>();
  final Queue<AckResult> results = new ConcurrentLinkedQueue<>();

  private void process(byte[] payload) {
    processed.add(payload);
  }

  void autoAck(Broker broker, CountDownLatch enough) throws InterruptedException {
    try (AckClient client = AckClient.on(broker)) {
      client.setAutoAck(true).setAckBatchSize(50).setAckTimeout(Duration.ofMillis(500));

      // Returning acks a message, throwing nacks it.
      client.subscribeAsync(message -> process(message.payload()), "queue://orders");

      enough.await();
      // Or unsubscribeAll(), which also ends the subscriptions.
      client.flushAcks();
    }
  }

  AckClient listening(Broker broker) {
    AckListener listener =
        new AckListener() {
          @Override
          public void settled(AckResult result) {
            results.add(result);
          }

          @Override
          public void pollFailed(String subId, RuntimeException error, Duration pause) {
            LOG.warning(subId + " gets no messages: " + error.getMessage());
          }
        };
    return AckClient.on(broker, AckClientConfig.DEFAULTS.name("billing").listener(listener));
  }
}
