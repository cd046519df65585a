package io.holdfast.cli.deadletters;

import io.holdfast.api.Broker;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.cli.options.PageOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.WatchOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.output.PayloadText;
import io.holdfast.cli.queues.QueueScan;
import io.holdfast.cli.queues.QueueSort;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.JsonOut;
import io.holdfast.json.objects.DeadLetterJson;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The {@code dlq list} command. */
@Command(
    name = "list",
    description =
        "List the dead letters of a queue, oldest first, or the queues that have dead letters.",
    footer = {
      "  holdfast dlq list",
      "  holdfast dlq list orders --error timeout --since -1d",
      "  holdfast dlq list orders --json"
    })
final class DlqListCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;
  @Mixin private DeadLetterOptions dead;
  @Mixin private PageOptions paging;
  @Mixin private WatchOptions watch;

  @Parameters(
      arity = "0..1",
      paramLabel = "<queue>",
      description = "Queue name (default: list the queues that have dead letters).")
  private @Nullable String queue;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private CommandOutput look(Broker broker) {
    String name = queue;
    if (name == null) {
      if (!dead.isEmpty()) {
        throw new IllegalArgumentException(
            "<queue>: expected a queue, as filters apply to the dead letters of one queue");
      }
      List<QueueInfo> queues =
          new QueueScan(null)
              .all(broker).stream()
                  .filter(one -> one.counts().dead() > 0)
                  .sorted(QueueSort.DEAD.order())
                  .toList();
      return CommandOutput.of(() -> document(queues), () -> text(queues));
    }
    DeadLetters page =
        broker
            .deadLetters(
                new DeadLettersRequest(dead.filter(broker, name), paging.after(), paging.limit()))
            .orThrow();
    long nowMs = broker.stats().orThrow().nowMs();
    return CommandOutput.of(() -> document(page), () -> text(page, nowMs));
  }

  private static Text text(List<QueueInfo> queues) {
    if (queues.isEmpty()) {
      return new Text().line("no dead letters");
    }
    TextTable table = new TextTable("QUEUE", "DEAD");
    queues.forEach(one -> table.row(one.name(), Style.RED.of(one.counts().dead())));
    return new Text().table(table);
  }

  private static JsonOut document(List<QueueInfo> queues) {
    return CommandOutput.array(
            new JsonOut().beginObject(),
            "queues",
            queues,
            (out, one) ->
                out.beginObject()
                    .put("name", one.name())
                    .put("dead", one.counts().dead())
                    .endObject())
        .endObject();
  }

  private Text text(DeadLetters page, long nowMs) {
    if (page.items().isEmpty()) {
      return new Text().line("no matching dead letters in ", String.valueOf(queue));
    }
    TextTable table =
        new TextTable("ID", "GROUP", "PARTITION", "DIED", "FAILURES", "ERROR", "PAYLOAD");
    for (DeadLetter one : page.items()) {
      table.row(
          one.message().id(),
          one.group(),
          one.message().partition(),
          Age.ago(nowMs, one.diedMs()),
          one.failures() + one.expiries(),
          one.error(),
          PayloadText.line(one.message().payload()));
    }
    Text text =
        new Text().table(table).line(Style.DIM.of(Labels.count(page.total(), "dead letter")));
    return CommandOutput.next(text, page.next());
  }

  private static JsonOut document(DeadLetters page) {
    JsonOut out = new JsonOut().beginObject().put("total", page.total());
    return CommandOutput.array(out, "messages", page.items(), DeadLetterJson.TYPE::write)
        .put("next", page.next())
        .endObject();
  }
}
