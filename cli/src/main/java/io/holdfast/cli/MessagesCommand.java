package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.MessageState;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
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
    description = "Shows messages of a queue without taking them.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast messages orders",
      "  holdfast messages orders --state returned,dead --group billing",
      "  holdfast messages orders --since -15m --json"
    })
final class MessagesCommand implements Callable<Integer> {
  /** Most pages that are asked for to fill one: each goes through thousands of messages. */
  private static final int PAGES_MAX = 10_000;

  @Mixin private RemoteOptions remote;
  @Mixin private SinceOptions span;
  @Mixin private WatchOptions watch;

  @Parameters(paramLabel = "<queue>", description = "The queue.")
  private String queue;

  @Option(
      names = "--state",
      paramLabel = "<state>",
      split = ",",
      converter = EnumWords.States.class,
      completionCandidates = EnumWords.States.class,
      description = "Only messages in it: ${COMPLETION-CANDIDATES}; may be repeated.")
  private Set<MessageState> states = new LinkedHashSet<>();

  @Option(
      names = "--group",
      paramLabel = "<name>",
      defaultValue = PopRequest.QUEUE_MODE,
      description = "Whose view of the states (default: the group of those who name none).")
  private String group;

  @Option(names = "--partition", paramLabel = "<name>", description = "Only this partition.")
  private @Nullable String partition;

  @Option(
      names = "--transaction-id",
      paramLabel = "<name>",
      description = "Only messages that their producer named so.")
  private @Nullable String transactionId;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "50",
      description = "Most messages, up to 1000 (default: ${DEFAULT-VALUE}).")
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
    PageLimit.check(limit);
    BrowseRequest request =
        new BrowseRequest(
            queue,
            group,
            partition,
            states,
            transactionId,
            span.fromMs(broker),
            span.toMs(broker),
            after,
            limit);
    List<BrowsedMessage> found = new ArrayList<>();
    String next = after;
    // A page may end early, before it has found what was asked for.
    for (int pages = 0; pages < PAGES_MAX; pages++) {
      Page<BrowsedMessage> page =
          broker.browse(request.after(next).limit(limit - found.size())).orThrow();
      found.addAll(page.items());
      next = page.next();
      if (next == null || found.size() >= limit) {
        break;
      }
    }
    String behind = next;
    long nowMs = broker.stats().orThrow().nowMs();
    return Told.of(() -> document(found, behind), () -> text(found, behind, nowMs));
  }

  private Text text(List<BrowsedMessage> found, @Nullable String next, long nowMs) {
    if (found.isEmpty()) {
      return new Text().line("no such messages in ", queue);
    }
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
          Payloads.line(one.message().payload()));
    }
    Text text = new Text().table(table);
    return next == null ? text : text.line(Style.DIM.of("more: --after '" + next + "'"));
  }

  private static Object state(BrowsedMessage one, long nowMs) {
    String word = Words.of(one.state());
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

  private static JsonOut document(List<BrowsedMessage> found, @Nullable String next) {
    JsonOut out = new JsonOut().beginObject().beginArray("messages");
    for (BrowsedMessage one : found) {
      Documents.message(out.beginObject(), one.message())
          .put("state", Words.json(one.state()))
          .put("failures", one.failures())
          .endObject();
    }
    return out.endArray().put("next", next).endObject();
  }
}
