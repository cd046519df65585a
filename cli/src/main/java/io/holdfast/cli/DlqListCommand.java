package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code dlq list} command. */
@Command(
    name = "list",
    description = "Lists the dead letters of a queue, oldest first; or the queues that have some.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast dlq list",
      "  holdfast dlq list orders --error timeout --since -1d",
      "  holdfast dlq list orders --json"
    })
final class DlqListCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;
  @Mixin private DeadFilterOptions dead;
  @Mixin private WatchOptions watch;

  @Parameters(
      arity = "0..1",
      paramLabel = "<queue>",
      description = "The queue; else the queues that have dead letters are listed.")
  private @Nullable String queue;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "50",
      description = "Most dead letters, up to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--after",
      paramLabel = "<next>",
      description = "Go on behind a list that was longer; it says with what.")
  private @Nullable String after;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private Told look(Broker broker) {
    String name = queue;
    if (name == null) {
      if (!dead.isEmpty()) {
        throw new IllegalArgumentException(
            "<queue>: expected one, as filters are for the dead letters of a queue");
      }
      List<QueueInfo> queues =
          new QueueWalk(null)
              .all(broker).stream()
                  .filter(one -> one.counts().dead() > 0)
                  .sorted(QueueSort.DEAD.order())
                  .toList();
      return Told.of(() -> document(queues), () -> text(queues));
    }
    DeadLetters page =
        broker
            .deadLetters(new DeadLettersRequest(dead.filter(broker, name), after, limit))
            .orThrow();
    long nowMs = broker.stats().orThrow().nowMs();
    return Told.of(() -> document(page), () -> text(page, nowMs));
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
    JsonOut out = new JsonOut().beginObject().beginArray("queues");
    for (QueueInfo one : queues) {
      out.beginObject().put("name", one.name()).put("dead", one.counts().dead()).endObject();
    }
    return out.endArray().endObject();
  }

  private Text text(DeadLetters page, long nowMs) {
    if (page.items().isEmpty()) {
      return new Text().line("no such dead letters in ", String.valueOf(queue));
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
          Payloads.line(one.message().payload()));
    }
    Text text =
        new Text().table(table).line(Style.DIM.of(Words.count(page.total(), "dead letter")));
    return page.next() == null
        ? text
        : text.line(Style.DIM.of("more: --after '" + page.next() + "'"));
  }

  private static JsonOut document(DeadLetters page) {
    JsonOut out = new JsonOut().beginObject().put("total", page.total()).beginArray("deadLetters");
    page.items().forEach(one -> Documents.deadLetter(out, one));
    return out.endArray().put("next", page.next()).endObject();
  }
}
