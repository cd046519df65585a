package io.holdfast.examples;

import io.holdfast.api.Broker;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.consume.MessageHandler;
import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;

/** Looks at why letters died, mends it, and has those delivered again that it concerned. */
public final class DeadLetterReview {
  static final String LETTERS = "example-letters";

  private DeadLetterReview() {}

  public static void main(String[] args) throws Exception {
    Examples.start(args, DeadLetterReview::run, System.out);
  }

  public static void run(Holdfast holdfast, PrintStream out) throws InterruptedException {
    Examples.beginWithout(holdfast, LETTERS);
    Broker broker = holdfast.broker();
    broker.configure(ConfigureRequest.queue(LETTERS).set(QueueOption.RETRY_LIMIT, 0)).orThrow();
    holdfast.queue(LETTERS).push("{\"to\":\"Ann\"}");
    holdfast.queue(LETTERS).push("{\"to\":\"Ben\"}");
    holdfast.queue(LETTERS).push("{\"to\":\"\"}");
    consume(
        holdfast,
        3,
        letter -> {
          boolean named = !letter.text().contains("\"\"");
          throw new IllegalStateException(named ? "no way: the road is closed" : "no name");
        });

    Map<String, Integer> reasons = new TreeMap<>();
    DeadLetterFilter all = DeadLetterFilter.queue(LETTERS);
    for (DeadLetter letter : broker.deadLetters(DeadLettersRequest.of(all)).orThrow().items()) {
      reasons.merge(String.valueOf(letter.error()), 1, Integer::sum);
    }
    reasons.forEach((reason, count) -> out.println(count + " died of " + reason));

    // The road is open again; what has no name stays where it is.
    RequeueRequest again = RequeueRequest.of(all.errorContains("the road is closed"));
    long requeued = broker.requeue(again).orThrow().count();
    consume(holdfast, requeued, letter -> out.println("delivered " + letter.text()));
  }

  private static void consume(Holdfast holdfast, long letters, MessageHandler handler)
      throws InterruptedException {
    try (Consumer consumer = holdfast.queue(LETTERS).limit(letters).each().consume(handler)) {
      consumer.join();
    }
  }
}
