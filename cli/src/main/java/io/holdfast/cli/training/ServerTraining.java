package io.holdfast.cli.training;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.client.remote.RemoteBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;

/**
 * Sends pushes, pops and acks to a server that records an AOT cache: with the recorded profiles a
 * server is fast from its first second. The launcher runs it after a build.
 */
public final class ServerTraining {
  private static final Duration LENGTH = Duration.ofSeconds(4);
  private static final String QUEUE = "training";
  private static final int BATCH = 100;
  private static final int IN_FLIGHT = 10;
  private static final int CALLERS = 4;

  private final String server;
  private final Broker broker;
  private final long endNanos = System.nanoTime() + LENGTH.toNanos();

  private ServerTraining(String server, Broker broker) {
    this.server = server;
    this.broker = broker;
  }

  /** Runs the load; the argument is the URL of the server. */
  public static void main(String[] args) throws InterruptedException {
    try (RemoteBroker broker = RemoteBroker.at(args[0])) {
      new ServerTraining(args[0], broker).run();
    }
    System.exit(ExitCodes.DONE);
  }

  private void run() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      threads.add(Thread.ofPlatform().start(this::pushSingles));
    }
    threads.add(Thread.ofPlatform().start(this::pushBatches));
    threads.add(Thread.ofPlatform().start(this::consume));
    threads.add(Thread.ofPlatform().start(this::callInJson));
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private boolean isRunning() {
    return System.nanoTime() < endNanos;
  }

  private static PushRequest messages(int count) {
    return PushRequest.of(
        Collections.nCopies(count, NewMessage.to(QUEUE, "{\"n\":1}".getBytes(UTF_8)))
            .toArray(NewMessage[]::new));
  }

  private void pushSingles() {
    while (isRunning()) {
      broker.push(messages(1)).orThrow();
    }
  }

  private void pushBatches() {
    Queue<AsyncResult<Pushed>> sent = new ArrayDeque<>();
    while (isRunning()) {
      sent.add(broker.pushAsync(messages(BATCH)));
      if (sent.size() == IN_FLIGHT) {
        sent.remove().join().orThrow();
      }
    }
    sent.forEach(each -> each.join().orThrow());
  }

  private void consume() {
    while (isRunning()) {
      Popped popped = broker.pop(PopRequest.queue(QUEUE).batch(BATCH).waitMs(500)).orThrow();
      if (!popped.isEmpty()) {
        broker.settle(SettleRequest.of(Settle.ackAll(popped.leaseId()))).orThrow();
      }
    }
  }

  private void callInJson() {
    HttpClient http = HttpClient.newHttpClient();
    String item = "{\"queue\":\"training-json\",\"payload\":{\"n\":1}}";
    while (isRunning()) {
      send(http, "/api/v1/push", "{\"items\":[" + item + "," + item + "]}");
      send(http, "/api/v1/pop", "{\"queue\":\"training-json\",\"batch\":2,\"autoAck\":true}");
    }
  }

  private void send(HttpClient http, String path, String body) {
    try {
      http.send(
          HttpRequest.newBuilder(URI.create(server + path))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.discarding());
    } catch (IOException unanswered) {
      throw new IllegalStateException(unanswered);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
