package io.holdfast.cli;

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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code flows show} command. */
@Command(
    name = "show",
    description = "Shows one flow: where it stands, what it waits for, its children.",
    mixinStandardHelpOptions = true)
final class FlowsShowCommand implements Callable<Integer> {
  /** Where values begin, behind their names. */
  private static final int VALUE_COLUMN = 13;

  @Mixin private FlowOptions options;

  @Parameters(paramLabel = "<id>", description = "The flow.")
  private String id;

  @Option(names = "--tree", description = "Show its children and theirs instead.")
  private boolean tree;

  @Override
  public Integer call() {
    RemoteOptions remote = options.remote();
    return options.run(
        admin -> {
          if (tree) {
            FlowTree shown = admin.tree(id);
            return remote.json()
                ? remote.print(FlowDocuments.tree(shown))
                : remote.print(branch(new StringBuilder(), shown, 0).toString().stripTrailing());
          }
          FlowDetail flow = admin.show(id);
          return remote.json()
              ? remote.print(FlowDocuments.show(flow, admin.executions(id)))
              : remote.print(text(flow));
        });
  }

  private static StringBuilder branch(StringBuilder text, FlowTree tree, int depth) {
    text.repeat("  ", depth)
        .append(tree.flow().id())
        .append("  ")
        .append(tree.flow().name())
        .append("  ")
        .append(tree.flow().status())
        .append(System.lineSeparator());
    tree.children().forEach(child -> branch(text, child, depth + 1));
    if (tree.cut()) {
      text.repeat("  ", depth + 1).append("...").append(System.lineSeparator());
    }
    return text;
  }

  private static String text(FlowDetail shown) {
    FlowInfo flow = shown.info();
    StringBuilder text = new StringBuilder();
    line(text, "flow", flow.id());
    line(text, "name", flow.name() + (flow.version() == null ? "" : " " + flow.version()));
    line(text, "status", flow.status() + " since " + TextTable.time(flow.sinceMs()));
    Failure failure = flow.failure();
    line(text, "reason", failure == null ? flow.reason() : null);
    line(text, "label", flow.label());
    line(text, "started", TextTable.time(flow.createdMs()));
    Parent parent = flow.parent();
    line(text, "parent", parent == null ? null : parent.flow());
    line(text, "execution", flow.execution() + ", " + shown.events() + " events");
    line(text, "kept for it", flow.kept() == 0 ? null : messages(flow.kept()));
    line(text, "on the way", shown.arriving() == null ? null : words(shown.arriving()));
    line(text, "unreadable", shown.unreadable());
    line(text, "failure", failure == null ? null : failure.toString());
    byte[] output = flow.output();
    line(text, "output", output == null ? null : new String(output, StandardCharsets.UTF_8));
    for (Waiting waiting : shown.waits()) {
      line(text, "waits for", words(waiting));
    }
    int left = shown.waitsInAll() - shown.waits().size();
    line(text, "waits for", left == 0 ? null : left + " more");
    return text.toString().stripTrailing();
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

  private static void line(StringBuilder text, String what, @Nullable String value) {
    if (value != null) {
      String below = System.lineSeparator() + " ".repeat(VALUE_COLUMN);
      text.append(String.format(Locale.ROOT, "%-12s %s%n", what, value.replace("\n", below)));
    }
  }
}
