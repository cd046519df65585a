package io.holdfast.cli.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.cli.options.PageOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.WatchOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.queues.QueueScan;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.objects.TaskJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code tasks} command. */
@Command(
    name = "tasks",
    description = "List tasks (messages of queues with track=true), oldest first.",
    footer = {
      "  holdfast tasks",
      "  holdfast tasks mails --status failed",
      "  holdfast tasks mails --watch"
    })
public final class TasksCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;
  @Mixin private PageOptions paging;
  @Mixin private WatchOptions watch;

  @Parameters(
      arity = "0..1",
      paramLabel = "<queue>",
      description = "Only tasks of this queue; required with --after.")
  private @Nullable String queue;

  @Option(
      names = "--status",
      paramLabel = "<status>",
      converter = TaskStatuses.class,
      completionCandidates = TaskStatuses.class,
      description = "Only tasks with this status: ${COMPLETION-CANDIDATES}.")
  private @Nullable TaskStatus status;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private CommandOutput look(Broker broker) {
    int limit = paging.limit();
    Page<TaskInfo> page = queue == null ? ofAll(broker, limit) : ofQueue(broker, queue, limit);
    long nowMs = broker.stats().orThrow().nowMs();
    return CommandOutput.page(
        "tasks",
        page,
        TaskJson.TYPE::write,
        "no matching tasks; only queues with track=true have tasks",
        tasks -> table(tasks, nowMs));
  }

  private Page<TaskInfo> ofQueue(Broker broker, String name, int most) {
    return broker.tasks(new TasksRequest(name, status, paging.after(), most)).orThrow();
  }

  private Page<TaskInfo> ofAll(Broker broker, int limit) {
    if (paging.after() != null) {
      throw new IllegalArgumentException("--after: expected <queue> as well, but there is none");
    }
    List<QueueInfo> tracking =
        new QueueScan(null)
            .first(broker, QueueScan.QUEUES_MAX, one -> one.options().flag(QueueOption.TRACK));
    List<TaskInfo> tasks = new ArrayList<>();
    for (QueueInfo one : tracking) {
      if (tasks.size() < limit) {
        tasks.addAll(ofQueue(broker, one.name(), limit - tasks.size()).items());
      }
    }
    return new Page<>(tasks, null);
  }

  private static TextTable table(List<TaskInfo> tasks, long nowMs) {
    TextTable table = new TextTable("ID", "QUEUE", "STATUS", "AGE", "ATTEMPTS", "WORKER", "ERROR");
    for (TaskInfo task : tasks) {
      table.row(
          task.id(),
          task.queue(),
          styled(task.status()),
          new Age(nowMs - task.publishedMs()),
          task.attempts(),
          task.worker(),
          task.error());
    }
    return table;
  }

  static Object styled(TaskStatus status) {
    String word = Labels.of(status);
    return switch (status) {
      case COMPLETE -> Style.GREEN.of(word);
      case FAILED -> Style.YELLOW.of(word);
      case DEAD -> Style.RED.of(word);
      case RECEIVED, RUNNING -> Style.CYAN.of(word);
      case QUEUED -> word;
    };
  }
}
