package io.holdfast.examples;

import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import java.io.PrintStream;

/** Decides for each payment: done, to be tried again, or dead at once. */
public final class ConditionalAck {
  static final String PAYMENTS = "example-payments";

  /** What a bank may answer. */
  private enum Answer {
    PAID,
    BUSY,
    STOLEN
  }

  private ConditionalAck() {}

  public static void main(String[] args) throws Exception {
    Examples.start(args, ConditionalAck::run, System.out);
  }

  public static void run(Holdfast holdfast, PrintStream out) throws InterruptedException {
    Examples.beginWithout(holdfast, PAYMENTS);
    holdfast
        .broker()
        .configure(ConfigureRequest.queue(PAYMENTS).set(QueueOption.RETRY_DELAY, 100))
        .orThrow();
    holdfast.queue(PAYMENTS).push("{\"card\":\"good\"}");
    holdfast.queue(PAYMENTS).push("{\"card\":\"of a busy bank\"}");
    holdfast.queue(PAYMENTS).push("{\"card\":\"stolen\"}");

    // Three payments, one of them twice.
    try (Consumer consumer =
        holdfast
            .queue(PAYMENTS)
            .limit(4)
            .each()
            .consume(
                message -> {
                  Answer answer = charge(message.text(), message.attempt());
                  out.println(message.text() + ", attempt " + message.attempt() + ": " + answer);
                  switch (answer) {
                    case PAID -> message.ack();
                    case BUSY -> message.nack("the bank is busy");
                    case STOLEN -> message.kill("the card is stolen");
                  }
                })) {
      consumer.join();
    }

    DeadLettersRequest dead = DeadLettersRequest.of(DeadLetterFilter.queue(PAYMENTS));
    for (DeadLetter letter : holdfast.broker().deadLetters(dead).orThrow().items()) {
      out.println("dead: " + letter.error());
    }
  }

  private static Answer charge(String payment, int attempt) {
    if (payment.contains("stolen")) {
      return Answer.STOLEN;
    }
    return payment.contains("busy") && attempt == 1 ? Answer.BUSY : Answer.PAID;
  }
}
