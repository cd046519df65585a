package io.holdfast.cli;

import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.flows.FlowDocuments;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.admin.Arriving;
import io.holdfast.workflow.admin.FlowDetail;
import io.holdfast.workflow.admin.FlowTree;
import io.holdfast.workflow.admin.Waiting;
import io.holdfast.workflow.history.Parent;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code flows show} command. */
@Command(
    name = "show",
    description = "Shows one flow: where it stands, what it waits for, its children.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast flows show o-17", "  holdfast flows show o-17 --tree"})
final class FlowsShowCommand implements Callable<Integer> {
  @Mixin private FlowOptions.One flow;

  @Option(names = "--tree", description = "Show its children and theirs instead.")
  private boolean tree;

  @Override
  public Integer call() {
    return flow.options()
        .show(
            admin -> {
              if (tree) {
                FlowTree shown = admin.tree(flow.id());
                return Told.of(() -> FlowDocuments.tree(shown), () -> branch(new Text(), shown, 0));
              }
              FlowDetail shown = admin.show(flow.id());
              return Told.of(
                  () -> FlowDocuments.show(shown, admin.executions(flow.id())), () -> text(shown));
            });
  }

  private static Text branch(Text text, FlowTree tree, int depth) {
    text.line(
        "  ".repeat(depth) + tree.flow().id() + "  " + tree.flow().name() + "  ",
        tree.flow().status());
    tree.children().forEach(child -> branch(text, child, depth + 1));
    if (tree.cut()) {
      text.line("  ".repeat(depth + 1) + "...");
    }
    return text;
  }

  private static Text text(FlowDetail shown) {
    FlowInfo flow = shown.info();
    Text text = new Text();
    text.field("flow", flow.id());
    text.field("name", flow.name() + (flow.version() == null ? "" : " " + flow.version()));
    text.field("status", flow.status() + " since " + TextTable.time(flow.sinceMs()));
    Failure failure = flow.failure();
    text.field("reason", failure == null ? flow.reason() : null);
    text.field("label", flow.label());
    text.field("started", TextTable.time(flow.createdMs()));
    Parent parent = flow.parent();
    text.field("parent", parent == null ? null : parent.flow());
    text.field("execution", flow.execution() + ", " + shown.events() + " events");
    text.field("kept for it", flow.kept() == 0 ? null : messages(flow.kept()));
    text.field("on the way", shown.arriving() == null ? null : words(shown.arriving()));
    text.field("unreadable", shown.unreadable());
    text.field("failure", failure == null ? null : failure.toString());
    byte[] output = flow.output();
    text.field("output", output == null ? null : new String(output, StandardCharsets.UTF_8));
    for (Waiting waiting : shown.waits()) {
      text.field("waits for", words(waiting));
    }
    int left = shown.waitsInAll() - shown.waits().size();
    text.field("waits for", left == 0 ? null : left + " more");
    return text;
  }

  private static String messages(long count) {
    return count == 1 ? "1 message" : count + " messages";
  }

  private static String words(Arriving arriving) {
    return messages(arriving.messages())
        + (arriving.messages() == Arriving.COUNT_MAX ? " or more" : "")
        + " since "
        + TextTable.time(arriving.sinceMs())
        + (arriving.taken() ? ", taken by a worker" : ", taken by no worker yet");
  }

  private static String words(Waiting waiting) {
    StringBuilder words = new StringBuilder();
    words
        .append(waiting.kind().name().toLowerCase(Locale.ROOT))
        .append(" '")
        .append(waiting.name())
        .append("' (event ")
        .append(waiting.number())
        .append(") since ")
        .append(TextTable.time(waiting.sinceMs()));
    if (waiting.dueMs() > 0) {
      words.append(", due ").append(TextTable.time(waiting.dueMs()));
    }
    if (waiting.flow() != null) {
      words.append(", flow ").append(waiting.flow()).append(' ').append(waiting.flowStatus());
    }
    Waiting.Order order = waiting.work();
    if (order != null) {
      words.append(": ").append(order.explain());
      if (order.worker() != null) {
        words.append("; with ").append(order.worker());
      }
      if (order.failures() > 0) {
        words.append("; ").append(order.failures()).append(" failures");
      }
      if (order.error() != null) {
        words.append("; last: ").append(order.error());
      }
    }
    return words.toString();
  }
}
