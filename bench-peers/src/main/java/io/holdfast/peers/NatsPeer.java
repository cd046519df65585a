package io.holdfast.peers;

import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.http.Session;
import io.holdfast.bench.peers.Peer;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.MessageConsumer;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.PublishAck;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A running JetStream: each queue is a work-queue stream with one durable pull consumer. */
record NatsPeer(
    ChildProcess process, Connection connection, JetStream stream, JetStreamManagement management)
    implements Peer {
  private static final String GROUP = "bench";

  @Override
  public Session session() {
    return new Caller();
  }

  @Override
  public void createQueue(String queue) {
    StreamConfiguration configuration =
        StreamConfiguration.builder()
            .name(queue)
            .subjects(queue)
            .storageType(StorageType.File)
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .build();
    ask(() -> management.addStream(configuration));
    ConsumerConfiguration group =
        ConsumerConfiguration.builder().durable(GROUP).ackPolicy(AckPolicy.Explicit).build();
    ask(() -> management.addOrUpdateConsumer(queue, group));
  }

  @Override
  public void deleteQueue(String queue) {
    ask(() -> management.deleteStream(queue));
  }

  /** A work-queue stream holds exactly the messages without an ack. */
  @Override
  public long unacked(String queue) {
    return ask(() -> management.getStreamInfo(queue)).getStreamState().getMsgCount();
  }

  @Override
  public void close() {
    try (process) {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static <T> T ask(Callable<T> call) {
    try {
      return call.call();
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException("JetStream refused or did not answer: " + e, e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** All callers share the connection; each consumes by itself from the same consumer. */
  private final class Caller implements Session {
    private final ReceiveBuffer<Message> received = new ReceiveBuffer<>();
    private @Nullable MessageConsumer consumer;

    @Override
    public void push(String queue, String partition, List<byte[]> payloads) {
      if (payloads.size() == 1) {
        ask(() -> stream.publish(queue, payloads.getFirst()));
        return;
      }
      List<CompletableFuture<PublishAck>> answers = new ArrayList<>(payloads.size());
      for (byte[] payload : payloads) {
        answers.add(stream.publishAsync(queue, payload));
      }
      answers.forEach(CompletableFuture::join);
    }

    @Override
    public Got pop(String queue, int batch, long waitMs) {
      if (consumer == null) {
        consumer = ask(() -> connection.getConsumerContext(queue, GROUP).consume(received::add));
      }
      return new Got(
          queue,
          received.take(batch, waitMs).stream()
              .map(message -> Held.of(message, message.getData()))
              .toList());
    }

    @Override
    public void ack(Got got) {
      got.messages().forEach(held -> ((Message) held.ack()).ack());
    }

    @Override
    public void close() {
      MessageConsumer started = consumer;
      if (started != null) {
        ask(
            () -> {
              started.close();
              return true;
            });
      }
    }
  }
}
