package io.holdfast.cli.tasks;

import io.holdfast.api.task.TaskInfo;
import io.holdfast.cli.messages.MessageOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.objects.TaskJson;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code task} command. */
@Command(
    name = "task",
    description = "Show a task: its status, times, worker, attempts and error.",
    footer = {
      "  holdfast task 019b76da-a800-7000-8000-010000000001",
      "  holdfast task m-17 --queue mails"
    })
public final class TaskCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;
  @Mixin private MessageOptions message;

  @Override
  public Integer call() {
    return remote.show(
        broker -> {
          TaskInfo task = broker.task(message.ref()).orThrow();
          long nowMs = broker.stats().orThrow().nowMs();
          return CommandOutput.of(() -> TaskJson.TYPE.out(task), () -> text(task, nowMs));
        });
  }

  private static Text text(TaskInfo task, long nowMs) {
    Text text =
        new Text()
            .field("task", Style.BOLD.of(task.id()))
            .field("in", task.queue() + "/" + task.partition())
            .field("transaction", task.transactionId())
            .field("status", TasksCommand.styled(task.status()))
            .field("published", when(nowMs, task.publishedMs()))
            .field("received", when(nowMs, task.receivedMs()))
            .field("started", when(nowMs, task.startedMs()))
            .field("ended", when(nowMs, task.endedMs()))
            .field("worker", task.worker())
            .field("attempts", task.attempts())
            .field("error", task.error());
    if (task.groups().size() > 1) {
      TextTable table = new TextTable("GROUP", "STATUS", "ATTEMPTS", "WORKER");
      for (TaskInfo.TaskGroup group : task.groups()) {
        table.row(
            group.group(), TasksCommand.styled(group.status()), group.attempts(), group.worker());
      }
      text.blank().table(table);
    }
    return text;
  }

  private static @Nullable String when(long nowMs, long thenMs) {
    return thenMs == 0 ? null : TextTable.time(thenMs) + ", " + Age.ago(nowMs, thenMs);
  }
}
