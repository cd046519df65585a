package io.holdfast.cli.demo;

import io.holdfast.api.Broker;
import io.holdfast.api.Stats;
import java.util.List;
import java.util.function.Predicate;

/**
 * The steps of the demo, each with commands to paste.
 *
 * @param url where the server listens
 * @param launcher how the user calls the command line
 */
record Tour(String url, String launcher) {
  /**
   * A step.
   *
   * @param ready whether there is something to see
   * @param commands lines to paste
   */
  record Stop(String title, Predicate<Broker> ready, List<String> commands) {}

  List<Stop> stops() {
    return List.of(
        stop(
            "Orders come in, and a group bills them; another one is too slow, and lags.",
            here -> true,
            curl("/api/v1/resources/queues"),
            curl("/api/v1/consumer-groups/lagging?minLagSeconds=0"),
            command("queues"),
            command("groups orders")),
        stop(
            "Some orders fail at first and are retried. Look at what waits, without taking it:",
            here -> true,
            curl("/api/v1/messages?queue=orders&limit=3"),
            command("tail orders --count 3")),
        stop(
            "Push an order of your own, and take it as a group of your own:",
            here -> true,
            curl("/api/v1/push")
                + " -d '{\"items\":[{\"queue\":\"orders\",\"partition\":\"you\","
                + "\"transactionId\":\"order-0\",\"payload\":{\"order\":0}}]}'",
            curl("/api/v1/pop/queue/orders/partition/you?consumerGroup=you&autoAck=true")),
        stop(
            "One order can never be billed. It is a dead letter now, kept whole with its attempts:",
            Tour::hasDeadLetters,
            curl("/api/v1/dlq?queue=orders"),
            command("dlq list orders")),
        stop(
            "Pumps work off tasks that are tracked. One task asked for too much, and died:",
            here -> true,
            curl("/api/v1/tasks?queue=watering&limit=5"),
            command("tasks watering")),
        stop(
            "A durable flow waits for a decision. See what for, then decide:",
            here -> true,
            command("flows list"),
            command("flows show " + Approval.FLOW),
            command(
                "flows raise "
                    + Approval.FLOW
                    + " "
                    + Approval.EVENT
                    + " --data {\"approved\":true,\"by\":\"you\"}"),
            command("flows history " + Approval.FLOW)),
        stop(
            "How it is, in figures and as a whole:",
            here -> true,
            curl("/health"),
            curl("/metrics"),
            command("top --once")),
        stop("Everything that can be asked, to read and to try:", here -> true, curl("/docs")));
  }

  private static boolean hasDeadLetters(Broker broker) {
    Stats stats = broker.stats().orThrow();
    return stats.dead() > 0;
  }

  private static Stop stop(String title, Predicate<Broker> ready, String... commands) {
    return new Stop(title, ready, List.of(commands));
  }

  private String curl(String path) {
    String address = url + path;
    return "curl " + (path.contains("?") ? "'" + address + "'" : address);
  }

  private String command(String words) {
    String quoted = words.replaceFirst("--data (.*)$", "--data '$1'");
    return launcher + " " + quoted + " --server " + url;
  }
}
