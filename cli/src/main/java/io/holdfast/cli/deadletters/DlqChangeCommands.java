package io.holdfast.cli.deadletters;

import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.cli.messages.MessageOptions;
import io.holdfast.cli.options.ConfirmOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that requeue and remove dead letters. */
final class DlqChangeCommands {
  private DlqChangeCommands() {}

  /**
   * The selected dead letters.
   *
   * @param ids empty for all that match the filter
   */
  private record Selection(
      Broker broker,
      ServerOptions remote,
      DeadLetterFilter filter,
      List<UUID> ids,
      boolean dryRun) {
    private long count() {
      if (ids.isEmpty()) {
        return DeadLetterBatches.count(broker, filter);
      }
      return ids.stream()
          .mapToLong(id -> DeadLetterBatches.count(broker, filter.message(id)))
          .sum();
    }

    private long run(String what, Function<DeadLetterFilter, Result<Affected>> act) {
      DeadLetterBatches steps = new DeadLetterBatches(broker, remote, what, act);
      return ids.isEmpty() ? steps.all(filter) : steps.each(filter, ids);
    }

    private int requeue() {
      return dryRun
          ? print("requeued", "would be requeued", count())
          : print(
              "requeued",
              "requeued",
              run("requeued", some -> broker.requeue(RequeueRequest.of(some))));
    }

    private int remove(ConfirmOptions confirm) {
      long count = count();
      if (dryRun || count == 0) {
        return print("removed", dryRun ? "would be removed" : "removed", count);
      }
      return confirm.confirm(
          remote,
          "this permanently removes "
              + Labels.count(count, "dead letter")
              + " of the queue "
              + filter.queue(),
          () -> print("removed", "removed", run("removed", broker::removeDeadLetters)));
    }

    private int print(String key, String result, long count) {
      return remote.print(
          CommandOutput.line(
                  Labels.count(count, "dead letter") + " " + result,
                  out -> out.put("queue", filter.queue()).put(key, count).put("dryRun", dryRun))
              .exit(count == 0 && !ids.isEmpty() ? ExitCodes.REFUSED : ExitCodes.DONE));
    }
  }

  /** Selects dead letters by id, by filter, or all of a queue. */
  static final class SelectionOptions {
    @Mixin private ServerOptions remote;
    @Mixin private DeadLetterOptions dead;

    @Parameters(index = "0", paramLabel = "<queue>", description = "Queue name.")
    private String queue;

    @Parameters(
        index = "1..*",
        paramLabel = "<message>",
        description = "Message ids (default: all that match).")
    private List<String> messages = new ArrayList<>();

    @Option(names = "--dry-run", description = "Only count the dead letters.")
    private boolean dryRun;

    private boolean isEverything() {
      return messages.isEmpty() && dead.isEmpty();
    }

    private Selection of(Broker broker) {
      return new Selection(
          broker,
          remote,
          DeadLetterBatches.untilNow(broker, dead.filter(broker, queue)),
          messages.stream().map(MessageOptions::id).toList(),
          dryRun);
    }
  }

  /** The {@code dlq requeue} command. */
  @Command(
      name = "requeue",
      description = {
        "Return dead letters to their queue, for their group, at their old position, with no failures.",
        "Exits with 1 if none of the given ids is found."
      },
      footer = {
        "  holdfast dlq requeue orders --error timeout --dry-run",
        "  holdfast dlq requeue orders --group billing --since -1d",
        "  holdfast dlq requeue orders 019b76da-a800-7000-8000-010000000001"
      })
  static final class Requeue implements Callable<Integer> {
    @Mixin private SelectionOptions selection;

    @Override
    public Integer call() {
      return selection.remote.run(broker -> selection.of(broker).requeue());
    }
  }

  /** The {@code dlq remove} command. */
  @Command(
      name = "remove",
      description = {
        "Permanently remove dead letters, by id or by filter.",
        "Exits with 1 if none of the given ids is found."
      },
      footer = {
        "  holdfast dlq remove orders 019b76da-a800-7000-8000-010000000001",
        "  holdfast dlq remove orders --until -30d --dry-run"
      })
  static final class Remove implements Callable<Integer> {
    @Mixin private SelectionOptions selection;
    @Mixin private ConfirmOptions confirm;

    @Override
    public Integer call() {
      return selection.remote.run(
          broker -> {
            if (selection.isEverything()) {
              throw new IllegalArgumentException(
                  "<message>: expected ids or a filter such as --error; to remove all, use 'dlq clear'");
            }
            return selection.of(broker).remove(confirm);
          });
    }
  }

  /** The {@code dlq clear} command. */
  @Command(
      name = "clear",
      description = "Permanently remove all dead letters of a queue.",
      footer = {"  holdfast dlq clear orders --dry-run", "  holdfast dlq clear orders --yes"})
  static final class Clear implements Callable<Integer> {
    @Mixin private ServerOptions remote;
    @Mixin private ConfirmOptions confirm;

    @Parameters(paramLabel = "<queue>", description = "Queue name.")
    private String queue;

    @Option(names = "--dry-run", description = "Only count the dead letters.")
    private boolean dryRun;

    @Override
    public Integer call() {
      return remote.run(
          broker ->
              new Selection(
                      broker,
                      remote,
                      DeadLetterBatches.untilNow(broker, DeadLetterFilter.queue(queue)),
                      List.of(),
                      dryRun)
                  .remove(confirm));
    }
  }
}
