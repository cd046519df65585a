package io.holdfast.cli;

import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.flows.FlowDocuments;
import io.holdfast.workflow.admin.HistoryEvent;
import io.holdfast.workflow.admin.HistoryPage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code flows history} command. */
@Command(
    name = "history",
    description = {
      "Shows what happened to a flow.",
      "After a retry of a failed flow, what it took back is shown as void."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast flows history o-17", "  holdfast flows history o-17 --from 1000"})
final class FlowsHistoryCommand implements Callable<Integer> {
  private static final int PAYLOAD_CHARS_MAX = 80;

  @Mixin private FlowOptions.One flow;

  @Option(
      names = "--execution",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "Which execution; 0 for the current one.")
  private long execution;

  @Option(
      names = "--from",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "The first event (default: ${DEFAULT-VALUE}).")
  private long from;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "1000",
      description = "Most events, up to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() {
    return flow.options()
        .show(
            admin -> {
              HistoryPage page = admin.history(flow.id(), execution, from, limit);
              return Told.of(() -> FlowDocuments.history(page), () -> text(page));
            });
  }

  private static Text text(HistoryPage page) {
    TextTable table = new TextTable("EVENT", "TIME", "WHAT", "VALUE");
    for (HistoryEvent event : page.events()) {
      table.row(event.number(), TextTable.time(event.timeMs()), words(event), value(event));
    }
    Text text = new Text().table(table);
    return page.next() < 0 ? text : text.line(Style.DIM.of("more: --from " + page.next()));
  }

  private static String words(HistoryEvent event) {
    return event.isVoid()
        ? event.words() + " (void since event " + event.voidSince() + ")"
        : event.words();
  }

  private static String value(HistoryEvent event) {
    byte[] payload = event.payload();
    if (payload == null) {
      return "";
    }
    String json = event.json();
    String text = json == null ? payload.length + " bytes" : json.strip();
    return text.length() <= PAYLOAD_CHARS_MAX
        ? text
        : text.substring(0, PAYLOAD_CHARS_MAX) + "... (" + text.length() + ")";
  }
}
