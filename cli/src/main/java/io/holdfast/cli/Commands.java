package io.holdfast.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Every command of {@code holdfast}, in the sections of its help.
 *
 * <p>To add one: its name in a section, and a line in {@link #make}.
 */
final class Commands {
  private static final int NAME_COLUMNS = 15;

  private static final Map<String, List<String>> SECTIONS = new LinkedHashMap<>();

  static {
    SECTIONS.put("Messages", List.of("push", "pop", "ack", "nack", "release", "extend"));
    SECTIONS.put("Looking", List.of("messages", "tail", "explain", "cancel", "reschedule"));
    SECTIONS.put("Queues", List.of("queues", "queue", "groups", "group", "seek"));
    SECTIONS.put("Dead letters", List.of("dlq"));
    SECTIONS.put("Tasks and flows", List.of("tasks", "task", "flows"));
    SECTIONS.put(
        "Server",
        List.of(
            "serve",
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

  /** The names of all commands. */
  static List<String> names() {
    return SECTIONS.values().stream().flatMap(List::stream).toList();
  }

  /** A command that was never run; null if there is none of that name. */
  static @Nullable Object make(String name) {
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
      case "cancel" -> new MoveCommands.Cancel();
      case "reschedule" -> new MoveCommands.Reschedule();
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

  /** Adds the one that the arguments name, or all. */
  static void add(CommandLine main, String... arguments) {
    Object one = arguments.length == 0 ? null : make(arguments[0]);
    if (one != null) {
      main.addSubcommand(arguments[0], one);
    } else {
      names().forEach(name -> main.addSubcommand(name, make(name)));
    }
    versions(main);
    main.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
    main.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Commands::list);
  }

  /** Every command says the version of the whole. */
  private static void versions(CommandLine command) {
    for (CommandLine sub : command.getSubcommands().values()) {
      sub.getCommandSpec().versionProvider(new Main.Version());
      versions(sub);
    }
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
