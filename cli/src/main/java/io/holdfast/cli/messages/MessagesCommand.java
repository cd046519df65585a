package io.holdfast.cli.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.cli.options.PageOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.TimeRangeOptions;
import io.holdfast.cli.options.WatchOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.output.PayloadText;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.objects.MessageRow;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code messages} command. */
@Command(
    name = "messages",
    description = "List messages of a queue without taking them.",
    footer = {
      "  holdfast messages orders",
      "  holdfast messages orders --state returned,dead --group billing",
      "  holdfast messages orders --since -15m --json"
    })
public final class MessagesCommand implements Callable<Integer> {
  /** Most requests to fill one page; each reads thousands of messages. */
  private static final int PAGES_MAX = 10_000;

  @Mixin private ServerOptions remote;
  @Mixin private TimeRangeOptions span;
  @Mixin private PageOptions page;
  @Mixin private WatchOptions watch;

  @Parameters(paramLabel = "<queue>", description = "Queue name.")
  private String queue;

  @Option(
      names = "--state",
      paramLabel = "<state>",
      split = ",",
      converter = MessageStates.class,
      completionCandidates = MessageStates.class,
      description = "Only messages in these states: ${COMPLETION-CANDIDATES}; may be repeated.")
  private Set<MessageState> states = new LinkedHashSet<>();

  @Option(
      names = "--group",
      paramLabel = "<name>",
      defaultValue = PopRequest.QUEUE_MODE,
      description = "Consumer group whose states are shown (default: the default group).")
  private String group;

  @Option(names = "--partition", paramLabel = "<name>", description = "Only this partition.")
  private @Nullable String partition;

  @Option(
      names = "--transaction-id",
      paramLabel = "<name>",
      description = "Only messages with this transaction id.")
  private @Nullable String transactionId;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private CommandOutput look(Broker broker) {
    int limit = page.limit();
    BrowseRequest request =
        new BrowseRequest(
            queue,
            group,
            partition,
            states,
            transactionId,
            span.fromMs(broker),
            span.toMs(broker),
            null,
            limit);
    List<BrowsedMessage> found = new ArrayList<>();
    String next = page.after();
    // A page may end early, before it has as many messages as requested.
    for (int pages = 0; pages < PAGES_MAX; pages++) {
      Page<BrowsedMessage> part =
          broker.browse(request.after(next).limit(limit - found.size())).orThrow();
      found.addAll(part.items());
      next = part.next();
      if (next == null || found.size() >= limit) {
        break;
      }
    }
    QueueInfo info = broker.queue(queue).orThrow();
    long nowMs = broker.stats().orThrow().nowMs();
    return CommandOutput.page(
        "messages",
        new Page<>(found, next),
        (out, one) -> MessageRow.TYPE.write(out, new MessageRow(one, info)),
        "no matching messages in " + queue,
        messages -> table(messages, nowMs));
  }

  private static TextTable table(List<BrowsedMessage> found, long nowMs) {
    TextTable table =
        new TextTable("ID", "STATE", "PARTITION", "PRIORITY", "FAILURES", "AGE", "PAYLOAD");
    for (BrowsedMessage one : found) {
      table.row(
          one.message().id(),
          state(one, nowMs),
          one.message().partition(),
          one.message().position().lane(),
          one.failures(),
          new Age(nowMs - one.message().createdMs()),
          PayloadText.line(one.message().payload()));
    }
    return table;
  }

  private static Object state(BrowsedMessage one, long nowMs) {
    String word = Labels.of(one.state());
    boolean later = one.visibleAtMs() > nowMs;
    String words = later ? word + ", in " + new Age(one.visibleAtMs() - nowMs) : word;
    return switch (one.state()) {
      case DEAD -> Style.RED.of(words);
      case RETURNED -> Style.YELLOW.of(words);
      case IN_FLIGHT -> Style.CYAN.of(words);
      case SETTLED -> Style.DIM.of(words);
      default -> words;
    };
  }
}
