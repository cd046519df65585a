package io.holdfast.examples;

import io.holdfast.client.Holdfast;
import io.holdfast.client.consume.Consumer;
import java.io.PrintStream;
import java.time.Duration;

/** Calls a service that allows only so many calls, and comes back when it says. */
public final class DelayedRetry {
  static final String CALLS = "example-calls";
  static final Duration PAUSE = Duration.ofMillis(300);

  /** The service does not take this call now. */
  private static final class RateLimited extends Exception {
    private static final long serialVersionUID = 1L;

    final Duration retryAfter;

    RateLimited(Duration retryAfter) {
      super("too many calls, again in " + retryAfter.toMillis() + " ms");
      this.retryAfter = retryAfter;
    }
  }

  /** The service: it refuses the third call, once. */
  private static final class Weather {
    private int calls;

    String ask(String city) throws RateLimited {
      calls++;
      if (calls == 3) {
        throw new RateLimited(PAUSE);
      }
      return city + " is sunny";
    }
  }

  private DelayedRetry() {}

  public static void main(String[] args) throws Exception {
    Examples.start(args, DelayedRetry::run, System.out);
  }

  public static void run(Holdfast holdfast, PrintStream out) throws InterruptedException {
    Examples.beginWithout(holdfast, CALLS);
    for (String city : new String[] {"Oslo", "Rome", "Lima", "Cairo"}) {
      holdfast.queue(CALLS).push("{\"city\":\"" + city + "\"}");
    }

    // Four calls, one of them twice.
    Weather weather = new Weather();
    try (Consumer consumer =
        holdfast
            .queue(CALLS)
            .limit(5)
            .each()
            .consume(
                message -> {
                  try {
                    out.println(weather.ask(message.text()));
                  } catch (RateLimited limited) {
                    // It has not failed: it goes back uncharged and keeps its place.
                    message.release(limited.retryAfter);
                    out.println(limited.getMessage());
                  }
                })) {
      consumer.join();
      out.println("given back: " + consumer.counts().released());
      out.println("failed: " + consumer.counts().nacked());
    }
  }
}
