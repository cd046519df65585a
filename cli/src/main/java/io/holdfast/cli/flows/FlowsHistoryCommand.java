package io.holdfast.cli.flows;

import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.flows.FlowJson;
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
      "Show the history of a flow.",
      "Events that a retry of a failed flow revoked are marked as void."
    },
    footer = {"  holdfast flows history o-17", "  holdfast flows history o-17 --from 1000"})
final class FlowsHistoryCommand implements Callable<Integer> {
  private static final int PAYLOAD_CHARS_MAX = 80;

  @Mixin private FlowOptions.Target flow;

  @Option(
      names = "--execution",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "Execution number; 0 is the current one (default: ${DEFAULT-VALUE}).")
  private long execution;

  @Option(
      names = "--from",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "Number of the first event (default: ${DEFAULT-VALUE}).")
  private long from;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "1000",
      description = "Maximum number of events, 1 to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() {
    return flow.options()
        .show(
            admin -> {
              HistoryPage page = admin.history(flow.id(), execution, from, limit);
              return CommandOutput.of(() -> FlowJson.HISTORY.out(page), () -> text(page));
            });
  }

  private static Text text(HistoryPage page) {
    TextTable table = new TextTable("NUMBER", "TIME", "EVENT", "VALUE");
    for (HistoryEvent event : page.events()) {
      table.row(event.number(), TextTable.time(event.timeMs()), description(event), value(event));
    }
    Text text = new Text().table(table);
    return page.next() < 0 ? text : text.line(Style.DIM.of("more: --from " + page.next()));
  }

  private static String description(HistoryEvent event) {
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
