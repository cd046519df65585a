package io.holdfast.client.guide;

import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;

public final class FirstProgram {
  private FirstProgram() {}

  public static void main(String[] args) throws InterruptedException {
    String address = args.length == 0 ? "http://localhost:6632" : args[0];
    try (Holdfast holdfast = Holdfast.connect(address)) {
      holdfast.queue("orders").push("{\"id\":1}");
      try (Consumer consumer =
          holdfast
              .queue("orders")
              .group("billing")
              .limit(1)
              .each()
              .consume(message -> System.out.println("bill " + message.text()))) {
        consumer.join();
      }
    }
  }
}
