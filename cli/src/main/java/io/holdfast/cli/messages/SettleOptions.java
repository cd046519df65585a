package io.holdfast.cli.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.Settle.Target;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Text;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Selects a whole lease or some of its messages, and settles them. */
final class SettleOptions {
  @Mixin private ServerOptions remote;

  @Parameters(index = "0", paramLabel = "<lease>", description = "Lease id, as printed by 'pop'.")
  private String lease;

  @Parameters(
      index = "1..*",
      paramLabel = "<message>",
      description = "Message ids or transaction ids (default: all open messages of the lease).")
  private List<String> messages = new ArrayList<>();

  @Option(
      names = "--partition",
      paramLabel = "<name>",
      defaultValue = NewMessage.DEFAULT_PARTITION,
      description =
          "Partition of the messages given by transaction id (default: ${DEFAULT-VALUE}).")
  private String partition;

  /**
   * Settles, and prints the verdicts.
   *
   * @param delayMs null for the default of the queue
   */
  int settle(Outcome outcome, @Nullable String error, @Nullable Long delayMs, boolean rest) {
    return remote.run(
        broker -> {
          List<Settle> settles = new ArrayList<>();
          long delay = delayMs == null ? Settle.QUEUE_DELAY : delayMs;
          for (Target target : targets(broker)) {
            settles.add(new Settle(target, outcome, error, delay, rest));
          }
          List<SettleVerdict> verdicts =
              broker.settle(SettleRequest.of(settles)).orThrow().verdicts();
          return printVerdicts(
              verdicts, outcome == Outcome.ACK ? 0 : broker.stats().orThrow().nowMs());
        });
  }

  private List<Target> targets(Broker broker) {
    if (messages.isEmpty()) {
      return List.of(new Target.WholeLease(lease));
    }
    List<Target> targets = new ArrayList<>();
    String queue = null;
    for (String message : messages) {
      boolean id = MessageOptions.isId(message);
      if (!id && queue == null) {
        queue = queue(broker);
      }
      targets.add(
          new Target.Held(
              new Handle(
                  lease,
                  broker
                      .message(MessageOptions.ref(message, queue, partition))
                      .orThrow()
                      .message()
                      .position())));
    }
    return targets;
  }

  private String queue(Broker broker) {
    LeaseInfo info = broker.lease(lease).orThrow();
    if (info.queue() == null) {
      throw new IllegalStateException("the queue of the lease " + lease + " was deleted");
    }
    return info.queue();
  }

  private int printVerdicts(List<SettleVerdict> verdicts, long nowMs) {
    boolean all = verdicts.stream().allMatch(SettleVerdict::applied);
    if (remote.json()) {
      remote.print(LeaseJson.settled(lease, messages, verdicts));
    } else {
      Text text = new Text();
      for (int i = 0; i < verdicts.size(); i++) {
        SettleVerdict verdict = verdicts.get(i);
        String what = messages.isEmpty() ? "the lease " + lease : messages.get(i);
        if (verdict.applied()) {
          text.line(result(verdict, nowMs));
        } else {
          remote.fail(refusal(verdict, what));
        }
      }
      if (!text.toString().isEmpty()) {
        remote.print(text);
      }
    }
    return all ? ExitCodes.DONE : ExitCodes.REFUSED;
  }

  private static String result(SettleVerdict verdict, long nowMs) {
    String count = Labels.count(verdict.count(), "message");
    String done =
        switch (verdict.status()) {
          case ACKED -> "acked " + count;
          case RELEASED -> "released " + count;
          case DEAD -> "dead-lettered " + count + ", see 'holdfast dlq list'";
          case DROPPED -> "dropped " + count + ": retries exhausted, and the queue has no DLQ";
          default ->
              "nacked "
                  + count
                  + (verdict.failures() > 0
                      ? ", " + Labels.count(verdict.failures(), "failure") + " so far"
                      : "");
        };
    return done
        + (verdict.visibleAtMs() > nowMs && nowMs > 0
            ? "; redelivered in " + new Age(verdict.visibleAtMs() - nowMs)
            : "")
        + (verdict.leaseOver() ? "; the lease has ended" : "");
  }

  private static String refusal(SettleVerdict verdict, String what) {
    return switch (verdict.status()) {
      case ALREADY_SETTLED -> what + " was already settled; nothing changed";
      case STALE_LEASE ->
          "stale lease: "
              + what
              + " expired, was released or never existed; its messages are back in the queue";
      case NOT_FOUND -> what + " is not in this lease";
      case CANCELLED -> what + " was cancelled or rescheduled while it was leased";
      default -> what + " was not settled: " + Labels.of(verdict.status());
    };
  }
}
