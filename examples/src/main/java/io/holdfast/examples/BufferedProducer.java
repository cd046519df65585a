package io.holdfast.examples;

import io.holdfast.api.message.PushedMessage;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.produce.PushBuffer;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Pushes a thousand readings, a hundred with each request, and reads them in their order. */
public final class BufferedProducer {
  static final String READINGS = "example-readings";
  private static final int COUNT = 1_000;

  private BufferedProducer() {}

  public static void main(String[] args) throws Exception {
    Examples.start(args, BufferedProducer::run, System.out);
  }

  public static void run(Holdfast holdfast, PrintStream out) throws InterruptedException {
    Examples.beginWithout(holdfast, READINGS);

    try (PushBuffer buffer = holdfast.queue(READINGS).buffer(100, Duration.ofMillis(50))) {
      List<CompletableFuture<PushedMessage>> results = new ArrayList<>();
      for (int i = 1; i <= COUNT; i++) {
        results.add(buffer.push("{\"reading\":" + i + "}"));
      }
      buffer.flush();
      // Each is stored, or throws why it is not.
      results.forEach(CompletableFuture::join);
    }
    out.println("stored: " + COUNT);

    AtomicInteger read = new AtomicInteger();
    try (Consumer consumer =
        holdfast
            .queue(READINGS)
            .batch(100)
            .limit(COUNT)
            .each()
            .consume(
                message -> {
                  if (numberOf(message.text()) == read.get() + 1) {
                    read.incrementAndGet();
                  }
                })) {
      consumer.join();
    }
    out.println("read in order: " + read);
  }

  private static int numberOf(String reading) {
    return Integer.parseInt(reading.replaceAll("\\D", ""));
  }
}
