package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.Settle.Target;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Text;
import io.holdfast.server.http.JsonOut;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a command settles: a whole lease, or messages of it. */
final class LeaseOptions {
  @Mixin private RemoteOptions remote;

  @Parameters(index = "0", paramLabel = "<lease>", description = "The lease, as 'pop' said.")
  private String lease;

  @Parameters(
      index = "1..*",
      paramLabel = "<message>",
      description =
          "Only these of it: ids, or the transaction ids their producer gave; else all that is"
              + " open.")
  private List<String> messages = new ArrayList<>();

  @Option(
      names = "--partition",
      paramLabel = "<name>",
      defaultValue = NewMessage.DEFAULT_PARTITION,
      description =
          "Where messages that are named by transaction id are (default: ${DEFAULT-VALUE}).")
  private String partition;

  /**
   * Settles, and tells what became of it.
   *
   * @param delayMs null for the queue's
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
          return tell(verdicts, outcome == Outcome.ACK ? 0 : broker.stats().orThrow().nowMs());
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
      throw new IllegalStateException("the queue of the lease " + lease + " is gone");
    }
    return info.queue();
  }

  private int tell(List<SettleVerdict> verdicts, long nowMs) {
    boolean all = verdicts.stream().allMatch(SettleVerdict::applied);
    if (remote.json()) {
      remote.print(document(verdicts));
    } else {
      Text text = new Text();
      for (int i = 0; i < verdicts.size(); i++) {
        SettleVerdict verdict = verdicts.get(i);
        String what = messages.isEmpty() ? "the lease " + lease : messages.get(i);
        if (verdict.applied()) {
          text.line(words(verdict, nowMs));
        } else {
          remote.fail(refusal(verdict, what));
        }
      }
      String lines = remote.rendered(text);
      if (!lines.isEmpty()) {
        remote.out().println(lines);
        remote.out().flush();
      }
    }
    return all ? Exit.DONE : Exit.REFUSED;
  }

  private static String words(SettleVerdict verdict, long nowMs) {
    String count = Words.count(verdict.count(), "message");
    String done =
        switch (verdict.status()) {
          case ACKED -> "acked " + count;
          case RELEASED -> "released " + count;
          case DEAD -> count + " dead: see 'holdfast dlq list'";
          case DROPPED -> count + " dropped: out of attempts, and the queue keeps no dead letters";
          default ->
              "nacked "
                  + count
                  + (verdict.failures() > 0
                      ? ", " + Words.count(verdict.failures(), "failure") + " so far"
                      : "");
        };
    return done
        + (verdict.visibleAtMs() > nowMs && nowMs > 0
            ? "; delivered again in " + new Age(verdict.visibleAtMs() - nowMs)
            : "")
        + (verdict.leaseOver() ? "; the lease is over" : "");
  }

  private static String refusal(SettleVerdict verdict, String what) {
    return switch (verdict.status()) {
      case ALREADY_SETTLED -> what + " was settled before; nothing changed";
      case STALE_LEASE ->
          "the lease of "
              + what
              + " expired, was released or never was; its messages are back in the queue, pop"
              + " them again";
      case NOT_FOUND -> what + " is not held by this lease";
      case CANCELLED -> what + " was cancelled or rescheduled while it was held";
      default -> what + " was not settled: " + Words.of(verdict.status());
    };
  }

  private JsonOut document(List<SettleVerdict> verdicts) {
    JsonOut out = new JsonOut().beginObject().put("leaseId", lease).beginArray("settled");
    for (int i = 0; i < verdicts.size(); i++) {
      SettleVerdict verdict = verdicts.get(i);
      out.beginObject()
          .put("message", messages.isEmpty() ? null : messages.get(i))
          .put("status", Words.json(verdict.status()))
          .put("applied", verdict.applied())
          .put("count", verdict.count())
          .put("failures", verdict.failures())
          .putTime("visibleAt", verdict.visibleAtMs())
          .put("leaseOver", verdict.leaseOver())
          .endObject();
    }
    return out.endArray().endObject();
  }
}
