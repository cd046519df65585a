package io.holdfast.cli;

import io.holdfast.cli.access.TokenCommand;
import io.holdfast.cli.bench.BenchCommand;
import io.holdfast.cli.cluster.ClusterCommand;
import io.holdfast.cli.deadletters.DlqCommand;
import io.holdfast.cli.demo.DemoCommand;
import io.holdfast.cli.flows.FlowsCommand;
import io.holdfast.cli.groups.GroupCommand;
import io.holdfast.cli.groups.GroupsCommand;
import io.holdfast.cli.groups.SeekCommand;
import io.holdfast.cli.messages.ExplainCommand;
import io.holdfast.cli.messages.ExtendCommand;
import io.holdfast.cli.messages.MessagesCommand;
import io.holdfast.cli.messages.PopCommand;
import io.holdfast.cli.messages.PushCommand;
import io.holdfast.cli.messages.RescheduleCommands;
import io.holdfast.cli.messages.SettleCommands;
import io.holdfast.cli.messages.TailCommand;
import io.holdfast.cli.queues.QueueCommand;
import io.holdfast.cli.queues.QueuesCommand;
import io.holdfast.cli.serve.ServeCommand;
import io.holdfast.cli.store.CheckpointCommand;
import io.holdfast.cli.store.KeyCommand;
import io.holdfast.cli.store.RepairClockCommand;
import io.holdfast.cli.store.VerifyCommand;
import io.holdfast.cli.tasks.TaskCommand;
import io.holdfast.cli.tasks.TasksCommand;
import io.holdfast.cli.top.TopCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * All commands of {@code holdfast}, in the sections of its help.
 *
 * <p>To add a command, add its name to a section and a line to {@link #create}.
 */
public final class Commands {
  private static final int NAME_COLUMNS = 15;

  private static final Map<String, List<String>> SECTIONS = new LinkedHashMap<>();

  static {
    SECTIONS.put("Messages", List.of("push", "pop", "ack", "nack", "release", "extend"));
    SECTIONS.put("Inspection", List.of("messages", "tail", "explain", "cancel", "reschedule"));
    SECTIONS.put("Queues", List.of("queues", "queue", "groups", "group", "seek"));
    SECTIONS.put("Dead letters", List.of("dlq"));
    SECTIONS.put("Tasks and flows", List.of("tasks", "task", "flows"));
    SECTIONS.put(
        "Server",
        List.of(
            "serve",
            "cluster",
            "demo",
            "top",
            "token",
            "key",
            "checkpoint",
            "verify",
            "repair-clock",
            "bench"));
    SECTIONS.put("Shell", List.of("completion"));
  }

  private Commands() {}

  static Map<String, List<String>> sections() {
    return SECTIONS;
  }

  static List<String> names() {
    return SECTIONS.values().stream().flatMap(List::stream).toList();
  }

  /** A new command; null if the name is unknown. */
  private static @Nullable Object create(String name) {
    return switch (name) {
      case "push" -> new PushCommand();
      case "pop" -> new PopCommand();
      case "ack" -> new SettleCommands.Ack();
      case "nack" -> new SettleCommands.Nack();
      case "release" -> new SettleCommands.Release();
      case "extend" -> new ExtendCommand();
      case "messages" -> new MessagesCommand();
      case "tail" -> new TailCommand();
      case "explain" -> new ExplainCommand();
      case "cancel" -> new RescheduleCommands.Cancel();
      case "reschedule" -> new RescheduleCommands.Reschedule();
      case "queues" -> new QueuesCommand();
      case "queue" -> new QueueCommand();
      case "groups" -> new GroupsCommand();
      case "group" -> new GroupCommand();
      case "seek" -> new SeekCommand();
      case "dlq" -> new DlqCommand();
      case "tasks" -> new TasksCommand();
      case "task" -> new TaskCommand();
      case "flows" -> new FlowsCommand();
      case "serve" -> new ServeCommand();
      case "cluster" -> new ClusterCommand();
      case "demo" -> new DemoCommand();
      case "top" -> new TopCommand();
      case "token" -> new TokenCommand();
      case "key" -> new KeyCommand();
      case "checkpoint" -> new CheckpointCommand();
      case "verify" -> new VerifyCommand();
      case "repair-clock" -> new RepairClockCommand();
      case "bench" -> new BenchCommand();
      case "completion" -> new CompletionCommand();
      default -> null;
    };
  }

  /** Adds the command that the arguments name, or all. */
  static void add(CommandLine main, String... arguments) {
    Object one = arguments.length == 0 ? null : create(arguments[0]);
    if (one != null) {
      main.addSubcommand(arguments[0], one);
    } else {
      names().forEach(name -> main.addSubcommand(name, create(name)));
    }
    setDefaults(main);
    main.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
    main.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Commands::list);
  }

  /** Sets the attributes that all commands share. */
  private static void setDefaults(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    spec.mixinStandardHelpOptions(true).versionProvider(new Main.Version());
    spec.usageMessage().footerHeading("%nExamples:%n").synopsisSubcommandLabel("<command>");
    command.getSubcommands().values().forEach(Commands::setDefaults);
  }

  private static String list(Help help) {
    StringBuilder text = new StringBuilder();
    SECTIONS.forEach(
        (section, names) -> {
          if (names.stream().noneMatch(help.subcommands()::containsKey)) {
            return;
          }
          text.append(help.createHeading("%n%s:%n", section));
          TextTable table =
              TextTable.forColumns(
                  help.colorScheme(),
                  new Column(NAME_COLUMNS, 2, Column.Overflow.TRUNCATE),
                  new Column(
                      help.commandSpec().usageMessage().width() - NAME_COLUMNS,
                      2,
                      Column.Overflow.WRAP));
          for (Map.Entry<String, Help> one : help.subcommands().entrySet()) {
            if (names.contains(one.getKey())) {
              table.addRowValues(
                  help.colorScheme().commandText(one.getKey()),
                  help.colorScheme()
                      .text(one.getValue().commandSpec().usageMessage().description()[0]));
            }
          }
          text.append(table);
        });
    return text.toString();
  }
}
