package io.holdfast.cli.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.output.PayloadText;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.objects.MessageDetailJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code explain} command. */
@Command(
    name = "explain",
    description = "Show the state of a message, why it is not delivered, and its failed attempts.",
    footer = {
      "  holdfast explain 019b76da-a800-7000-8000-010000000001",
      "  holdfast explain o-17 --queue orders"
    })
public final class ExplainCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;
  @Mixin private MessageOptions message;

  @Override
  public Integer call() {
    return remote.show(this::look);
  }

  private CommandOutput look(Broker broker) {
    MessageDetail detail = broker.message(message.ref()).orThrow();
    long nowMs = broker.stats().orThrow().nowMs();
    QueueOptions options = broker.queue(detail.message().queue()).orThrow().options();
    return CommandOutput.of(
        () -> MessageDetailJson.TYPE.out(MessageDetailJson.of(detail, options, nowMs)),
        () -> text(detail, nowMs));
  }

  private static Text text(MessageDetail detail, long nowMs) {
    Message message = detail.message();
    Text text =
        new Text()
            .field("message", Style.BOLD.of(message.id()))
            .field("in", message.queue() + "/" + message.partition())
            .field("transaction", message.transactionId())
            .field("priority", message.position().lane() + ", seq " + message.position().seq())
            .field("pushed", Age.ago(nowMs, message.createdMs()));
    message.headers().forEach((name, value) -> text.field("header", name + ": " + value));
    text.field("payload", PayloadText.line(message.payload())).field("state", detail.explain());
    for (GroupView group : detail.groups()) {
      text.blank()
          .field("group", Style.BOLD.of(group.group()))
          .field("state", group.explain())
          .field("lease", group.leaseId() == null ? null : lease(group))
          .field(
              "failures",
              group.failures() + group.expiries() == 0
                  ? null
                  : Labels.count(group.failures(), "failure")
                      + ", "
                      + Labels.count(group.expiries(), "lease")
                      + " expired");
      if (!group.attempts().isEmpty()) {
        text.table(attempts(group));
      }
    }
    return text;
  }

  private static String lease(GroupView group) {
    return group.leaseId()
        + " until "
        + TextTable.time(group.leaseUntilMs())
        + (group.worker() == null ? "" : ", worker " + group.worker());
  }

  private static TextTable attempts(GroupView group) {
    TextTable table = new TextTable("ATTEMPT", "ENDED", "CAUSE", "AFTER", "WORKER", "ERROR");
    for (Attempt attempt : group.attempts()) {
      table.row(
          attempt.number(),
          TextTable.time(attempt.endedMs()),
          Labels.of(attempt.cause()),
          new Age(attempt.endedMs() - attempt.leasedMs()),
          attempt.worker(),
          attempt.error());
    }
    return table;
  }
}
