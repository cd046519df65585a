package io.holdfast.peers;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.MessageProperties;
import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.http.Session;
import io.holdfast.bench.peers.Peer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A running RabbitMQ: each queue is a quorum queue. */
record RabbitPeer(ChildProcess process, ChildProcess nameServer, Connection connection)
    implements Peer {
  private static final int PREFETCH = 200;
  private static final long CONFIRM_MS_MAX = 30_000;

  /** A call of the client. */
  private interface Call<T> {
    T run(Channel channel) throws IOException;
  }

  private <T> T once(Call<T> call) {
    try (Channel channel = connection.createChannel()) {
      return call.run(channel);
    } catch (IOException | TimeoutException e) {
      throw failure(e);
    }
  }

  private static IllegalStateException failure(Exception e) {
    return new IllegalStateException("RabbitMQ: " + e, e);
  }

  @Override
  public Session session() {
    try {
      Channel channel = connection.createChannel();
      channel.confirmSelect();
      channel.basicQos(PREFETCH);
      return new Caller(channel);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  public void createQueue(String queue) {
    once(
        channel ->
            channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum")));
  }

  @Override
  public void deleteQueue(String queue) {
    once(channel -> channel.queueDelete(queue));
  }

  /**
   * Messages that a consumer holds are not counted, but its channel is closed by then, which gives
   * them back.
   */
  @Override
  public long unacked(String queue) {
    return once(channel -> channel.messageCount(queue));
  }

  @Override
  public void close() {
    try (nameServer;
        process) {
      connection.abort(5_000);
    }
  }

  /** A channel of the shared connection. */
  private static final class Caller implements Session {
    private final Channel channel;
    private final ReceiveBuffer<Delivery> received = new ReceiveBuffer<>();
    private String consuming = "";

    Caller(Channel channel) {
      this.channel = channel;
    }

    @Override
    public void push(String queue, String partition, List<byte[]> payloads) {
      try {
        AMQP.BasicProperties persistent = MessageProperties.MINIMAL_PERSISTENT_BASIC;
        for (byte[] payload : payloads) {
          channel.basicPublish("", queue, persistent, payload);
        }
        channel.waitForConfirmsOrDie(CONFIRM_MS_MAX);
      } catch (IOException | TimeoutException e) {
        throw failure(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failure(e);
      }
    }

    @Override
    public Got pop(String queue, int batch, long waitMs) {
      try {
        if (!consuming.equals(queue)) {
          consuming = queue;
          channel.basicConsume(queue, false, (tag, delivery) -> received.add(delivery), tag -> {});
        }
        return new Got(
            queue,
            received.take(batch, waitMs).stream()
                .map(one -> Held.of(one.getEnvelope().getDeliveryTag(), one.getBody()))
                .toList());
      } catch (IOException e) {
        throw failure(e);
      }
    }

    @Override
    public void ack(Got got) {
      try {
        channel.basicAck((long) got.messages().getLast().ack(), true);
      } catch (IOException e) {
        throw failure(e);
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException | TimeoutException e) {
        throw failure(e);
      }
    }
  }
}
