package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code explain} command. */
@Command(
    name = "explain",
    description = "Says where a message is, why it is not delivered, and how often it failed.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast explain 019b76da-a800-7000-8000-010000000001",
      "  holdfast explain o-17 --queue orders"
    })
final class ExplainCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;
  @Mixin private MessageOptions message;

  @Override
  public Integer call() {
    return remote.show(this::look);
  }

  private Told look(Broker broker) {
    MessageDetail detail = broker.message(message.ref()).orThrow();
    long nowMs = broker.stats().orThrow().nowMs();
    return Told.of(() -> document(detail), () -> text(detail, nowMs));
  }

  private static Text text(MessageDetail detail, long nowMs) {
    Message message = detail.message();
    Text text =
        new Text()
            .field("message", Style.BOLD.of(message.id()))
            .field("in", message.queue() + "/" + message.partition())
            .field("named", message.transactionId())
            .field(
                "priority",
                message.position().lane() + ", number " + message.position().seq() + " there")
            .field("pushed", Age.ago(nowMs, message.createdMs()));
    message.headers().forEach((name, value) -> text.field("header", name + ": " + value));
    text.field("payload", Payloads.line(message.payload())).field("state", detail.explain());
    for (GroupView group : detail.groups()) {
      text.blank()
          .field("group", Style.BOLD.of(group.group()))
          .field("state", group.explain())
          .field("lease", group.leaseId() == null ? null : lease(group))
          .field(
              "failures",
              group.failures() + group.expiries() == 0
                  ? null
                  : Words.count(group.failures(), "failure")
                      + ", "
                      + Words.count(group.expiries(), "lease")
                      + " ran out");
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
        + (group.worker() == null ? "" : ", with " + group.worker());
  }

  private static TextTable attempts(GroupView group) {
    TextTable table = new TextTable("ATTEMPT", "ENDED", "HOW", "AFTER", "WORKER", "ERROR");
    for (Attempt attempt : group.attempts()) {
      table.row(
          attempt.number(),
          TextTable.time(attempt.endedMs()),
          Words.of(attempt.cause()),
          new Age(attempt.endedMs() - attempt.leasedMs()),
          attempt.worker(),
          attempt.error());
    }
    return table;
  }

  private static JsonOut document(MessageDetail detail) {
    JsonOut out = Documents.message(new JsonOut().beginObject(), detail.message());
    out.put("explain", detail.explain()).beginArray("groups");
    for (GroupView group : detail.groups()) {
      out.beginObject()
          .put("group", group.group())
          .put("state", Words.json(group.state()))
          .put("explain", group.explain())
          .put("failures", group.failures())
          .put("expiries", group.expiries())
          .putTime("visibleAt", group.visibleAtMs())
          .put("leaseId", group.leaseId())
          .put("worker", group.worker())
          .putTime("leaseUntil", group.leaseUntilMs());
      Documents.attempts(out, group.attempts()).endObject();
    }
    return out.endArray().endObject();
  }
}
