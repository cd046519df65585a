package io.holdfast.cli;

import io.holdfast.api.task.TaskInfo;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code task} command. */
@Command(
    name = "task",
    description = "Shows one task: where it is in its life, who has it, what went wrong.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast task 019b76da-a800-7000-8000-010000000001",
      "  holdfast task m-17 --queue mails"
    })
final class TaskCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;
  @Mixin private MessageOptions message;

  @Override
  public Integer call() {
    return remote.show(
        broker -> {
          TaskInfo task = broker.task(message.ref()).orThrow();
          long nowMs = broker.stats().orThrow().nowMs();
          return Told.of(() -> Documents.task(new JsonOut(), task), () -> text(task, nowMs));
        });
  }

  private static Text text(TaskInfo task, long nowMs) {
    Text text =
        new Text()
            .field("task", Style.BOLD.of(task.id()))
            .field("in", task.queue() + "/" + task.partition())
            .field("named", task.transactionId())
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
