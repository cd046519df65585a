package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.cli.terminal.Age;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
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
    description = "Lists tasks: the messages of queues with track=true, oldest first.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast tasks",
      "  holdfast tasks mails --status failed",
      "  holdfast tasks mails --watch"
    })
final class TasksCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;
  @Mixin private WatchOptions watch;

  @Parameters(
      arity = "0..1",
      paramLabel = "<queue>",
      description = "Only tasks of this queue; else of all that track theirs.")
  private @Nullable String queue;

  @Option(
      names = "--status",
      paramLabel = "<status>",
      converter = EnumWords.Statuses.class,
      completionCandidates = EnumWords.Statuses.class,
      description = "Only tasks in it: ${COMPLETION-CANDIDATES}.")
  private @Nullable TaskStatus status;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "50",
      description = "Most tasks, up to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--after",
      paramLabel = "<next>",
      description = "Go on behind a list of one queue that was longer; it says with what.")
  private @Nullable String after;

  @Override
  public Integer call() {
    return watch.show(remote, this::look);
  }

  private Told look(Broker broker) {
    PageLimit.check(limit);
    Page<TaskInfo> page = queue == null ? ofAll(broker) : ofQueue(broker, queue, limit);
    long nowMs = broker.stats().orThrow().nowMs();
    return Told.of(() -> document(page), () -> text(page, nowMs));
  }

  private Page<TaskInfo> ofQueue(Broker broker, String name, int most) {
    return broker.tasks(new TasksRequest(name, status, after, most)).orThrow();
  }

  private Page<TaskInfo> ofAll(Broker broker) {
    if (after != null) {
      throw new IllegalArgumentException("--after: expected a queue beside it, but there is none");
    }
    List<QueueInfo> tracking =
        new QueueWalk(null)
            .first(broker, QueueWalk.QUEUES_MAX, one -> one.options().flag(QueueOption.TRACK));
    List<TaskInfo> tasks = new ArrayList<>();
    for (QueueInfo one : tracking) {
      if (tasks.size() < limit) {
        tasks.addAll(ofQueue(broker, one.name(), limit - tasks.size()).items());
      }
    }
    return new Page<>(tasks, null);
  }

  private Text text(Page<TaskInfo> page, long nowMs) {
    if (page.items().isEmpty()) {
      return new Text().line("no such tasks; a queue has some if it is made with track=true");
    }
    TextTable table = new TextTable("ID", "QUEUE", "STATUS", "AGE", "ATTEMPTS", "WORKER", "ERROR");
    for (TaskInfo task : page.items()) {
      table.row(
          task.id(),
          task.queue(),
          styled(task.status()),
          new Age(nowMs - task.publishedMs()),
          task.attempts(),
          task.worker(),
          task.error());
    }
    Text text = new Text().table(table);
    return page.next() == null
        ? text
        : text.line(Style.DIM.of("more: --after '" + page.next() + "'"));
  }

  /** A status as people see it. */
  static Object styled(TaskStatus status) {
    String word = Words.of(status);
    return switch (status) {
      case COMPLETE -> Style.GREEN.of(word);
      case FAILED -> Style.YELLOW.of(word);
      case DEAD -> Style.RED.of(word);
      case RECEIVED, RUNNING -> Style.CYAN.of(word);
      case QUEUED -> word;
    };
  }

  private static JsonOut document(Page<TaskInfo> page) {
    JsonOut out = new JsonOut().beginObject().beginArray("tasks");
    page.items().forEach(task -> Documents.task(out, task));
    return out.endArray().put("next", page.next()).endObject();
  }
}
