package io.holdfast.cli.flows;

import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.flows.FlowJson;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.admin.Arriving;
import io.holdfast.workflow.admin.FlowDetail;
import io.holdfast.workflow.admin.FlowTree;
import io.holdfast.workflow.admin.Waiting;
import io.holdfast.workflow.history.Parent;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code flows show} command. */
@Command(
    name = "show",
    description = "Show a flow: its status, what it is waiting for, and its parent.",
    footer = {"  holdfast flows show o-17", "  holdfast flows show o-17 --tree"})
final class FlowsShowCommand implements Callable<Integer> {
  @Mixin private FlowOptions.Target flow;

  @Option(names = "--tree", description = "Show the tree of its child flows instead.")
  private boolean tree;

  @Override
  public Integer call() {
    return flow.options()
        .show(
            admin -> {
              if (tree) {
                FlowTree shown = admin.tree(flow.id());
                return CommandOutput.of(
                    () -> FlowJson.TREE.out(shown), () -> branch(new Text(), shown, 0));
              }
              FlowDetail shown = admin.show(flow.id());
              return CommandOutput.of(
                  () -> FlowJson.SHOWN.out(new FlowJson.Shown(shown, admin.executions(flow.id()))),
                  () -> text(shown));
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
    text.field("buffered", flow.kept() == 0 ? null : Labels.count(flow.kept(), "message"));
    text.field("incoming", shown.arriving() == null ? null : description(shown.arriving()));
    text.field("unreadable", shown.unreadable());
    text.field("failure", failure == null ? null : failure.toString());
    byte[] output = flow.output();
    text.field("output", output == null ? null : new String(output, StandardCharsets.UTF_8));
    for (Waiting waiting : shown.waits()) {
      text.field("waiting for", description(waiting));
    }
    int left = shown.waitsInAll() - shown.waits().size();
    text.field("waiting for", left == 0 ? null : left + " more");
    return text;
  }

  private static String description(Arriving arriving) {
    return Labels.count(arriving.messages(), "message")
        + (arriving.messages() == Arriving.COUNT_MAX ? " or more" : "")
        + " since "
        + TextTable.time(arriving.sinceMs())
        + (arriving.taken() ? ", taken by a worker" : ", not yet taken by a worker");
  }

  private static String description(Waiting waiting) {
    StringBuilder text =
        new StringBuilder(
            "%s '%s' (event %d) since %s"
                .formatted(
                    Labels.json(waiting.kind()),
                    waiting.name(),
                    waiting.number(),
                    TextTable.time(waiting.sinceMs())));
    if (waiting.dueMs() > 0) {
      text.append(", due ").append(TextTable.time(waiting.dueMs()));
    }
    if (waiting.flow() != null) {
      text.append(", flow ").append(waiting.flow()).append(' ').append(waiting.flowStatus());
    }
    Waiting.Order order = waiting.work();
    if (order != null) {
      text.append(": ")
          .append(order.explain())
          .append(order.worker() == null ? "" : "; worker " + order.worker())
          .append(order.failures() == 0 ? "" : "; " + Labels.count(order.failures(), "failure"))
          .append(order.error() == null ? "" : "; last error: " + order.error());
    }
    return text.toString();
  }
}
