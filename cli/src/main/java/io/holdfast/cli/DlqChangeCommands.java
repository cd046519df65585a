package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.cli.terminal.Text;
import io.holdfast.server.http.JsonOut;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code dlq} that change something. */
final class DlqChangeCommands {
  private DlqChangeCommands() {}

  /**
   * The dead letters that are meant.
   *
   * @param ids only these; empty for all that match
   */
  private record Chosen(
      Broker broker,
      RemoteOptions remote,
      DeadLetterFilter filter,
      List<UUID> ids,
      boolean dryRun) {
    private long count() {
      if (ids.isEmpty()) {
        return DeadSteps.count(broker, filter);
      }
      return ids.stream().mapToLong(id -> DeadSteps.count(broker, filter.message(id))).sum();
    }

    private long run(String what, Function<DeadLetterFilter, Result<Affected>> act) {
      DeadSteps steps = new DeadSteps(broker, remote, what, act);
      return ids.isEmpty() ? steps.all(filter) : steps.each(filter, ids);
    }

    private int requeue() {
      return dryRun
          ? tell("requeued", "would be requeued", count())
          : tell(
              "requeued",
              "requeued",
              run("requeued", some -> broker.requeue(RequeueRequest.of(some))));
    }

    private int remove(ConfirmOptions confirm) {
      long count = count();
      if (dryRun || count == 0) {
        return tell("removed", dryRun ? "would be removed" : "removed", count);
      }
      return confirm.unlessRefused(
          remote,
          "this removes "
              + Words.count(count, "dead letter")
              + " of the queue "
              + filter.queue()
              + " for good",
          () -> tell("removed", "removed", run("removed", broker::removeDeadLetters)));
    }

    private int tell(String key, String words, long count) {
      int exit = count == 0 && !ids.isEmpty() ? Exit.REFUSED : Exit.DONE;
      return remote.print(
          Told.of(
                  () ->
                      new JsonOut()
                          .beginObject()
                          .put("queue", filter.queue())
                          .put(key, count)
                          .put("dryRun", dryRun)
                          .endObject(),
                  () -> new Text().line(Words.count(count, "dead letter"), " ", words))
              .exit(exit));
    }
  }

  /** Says which dead letters are meant: by id, by filter, or all of a queue. */
  static final class Choice {
    @Mixin private RemoteOptions remote;
    @Mixin private DeadFilterOptions dead;

    @Parameters(index = "0", paramLabel = "<queue>", description = "The queue.")
    private String queue;

    @Parameters(
        index = "1..*",
        paramLabel = "<message>",
        description = "Only these, by their ids; else all that match.")
    private List<String> messages = new ArrayList<>();

    @Option(names = "--dry-run", description = "Only count them.")
    private boolean dryRun;

    private boolean isEverything() {
      return messages.isEmpty() && dead.isEmpty();
    }

    private Chosen of(Broker broker) {
      return new Chosen(
          broker,
          remote,
          DeadSteps.untilNow(broker, dead.filter(broker, queue)),
          messages.stream().map(MessageOptions::id).toList(),
          dryRun);
    }
  }

  /** The {@code dlq requeue} command. */
  @Command(
      name = "requeue",
      description = {
        "Delivers dead letters again, each to its own group, at its old place, with no failures.",
        "Exits with 1 if none of the named ones is there."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast dlq requeue orders --error timeout --dry-run",
        "  holdfast dlq requeue orders --group billing --since -1d",
        "  holdfast dlq requeue orders 019b76da-a800-7000-8000-010000000001"
      })
  static final class Requeue implements Callable<Integer> {
    @Mixin private Choice choice;

    @Override
    public Integer call() {
      return choice.remote.run(broker -> choice.of(broker).requeue());
    }
  }

  /** The {@code dlq remove} command. */
  @Command(
      name = "remove",
      description = {
        "Removes dead letters for good, by id or by filter.",
        "Exits with 1 if none of the named ones is there."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast dlq remove orders 019b76da-a800-7000-8000-010000000001",
        "  holdfast dlq remove orders --until -30d --dry-run"
      })
  static final class Remove implements Callable<Integer> {
    @Mixin private Choice choice;
    @Mixin private ConfirmOptions confirm;

    @Override
    public Integer call() {
      return choice.remote.run(
          broker -> {
            if (choice.isEverything()) {
              throw new IllegalArgumentException(
                  "<message>: expected ids or a filter such as --error; 'dlq clear' removes all");
            }
            return choice.of(broker).remove(confirm);
          });
    }
  }

  /** The {@code dlq clear} command. */
  @Command(
      name = "clear",
      description = "Removes all dead letters of a queue for good.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {"  holdfast dlq clear orders --dry-run", "  holdfast dlq clear orders --yes"})
  static final class Clear implements Callable<Integer> {
    @Mixin private RemoteOptions remote;
    @Mixin private ConfirmOptions confirm;

    @Parameters(paramLabel = "<queue>", description = "The queue.")
    private String queue;

    @Option(names = "--dry-run", description = "Only count them.")
    private boolean dryRun;

    @Override
    public Integer call() {
      return remote.run(
          broker ->
              new Chosen(
                      broker,
                      remote,
                      DeadSteps.untilNow(broker, DeadLetterFilter.queue(queue)),
                      List.of(),
                      dryRun)
                  .remove(confirm));
    }
  }
}
