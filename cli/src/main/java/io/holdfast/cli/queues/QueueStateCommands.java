package io.holdfast.cli.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.cli.options.ConfirmOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that pause, resume, purge and delete a queue. */
final class QueueStateCommands {
  private QueueStateCommands() {}

  /** The queue of the command. */
  static final class Target {
    @Mixin private ServerOptions remote;

    @Parameters(paramLabel = "<queue>", description = "Queue name.")
    private String queue;

    private int pause(boolean paused) {
      return remote.show(
          broker -> {
            QueueInfo info = broker.pause(queue, paused).orThrow();
            return CommandOutput.line(
                "queue " + queue + (paused ? " paused" : " resumed"),
                out -> out.put("name", queue).put("paused", info.paused()));
          });
    }

    private int print(String what, Affected affected) {
      return remote.print(
          CommandOutput.line(
              "queue " + queue + " " + what + ": " + Labels.count(affected.count(), "message"),
              out -> out.put("name", queue).put(what, affected.count())));
    }
  }

  /** The {@code queue pause} command. */
  @Command(
      name = "pause",
      description = "Stop deliveries from a queue; pushes and acks still work.",
      footer = "  holdfast queue pause orders")
  static final class Pause implements Callable<Integer> {
    @Mixin private Target target;

    @Override
    public Integer call() {
      return target.pause(true);
    }
  }

  /** The {@code queue resume} command. */
  @Command(
      name = "resume",
      description = "Resume deliveries from a paused queue.",
      footer = "  holdfast queue resume orders")
  static final class Resume implements Callable<Integer> {
    @Mixin private Target target;

    @Override
    public Integer call() {
      return target.pause(false);
    }
  }

  /** The {@code queue purge} command. */
  @Command(
      name = "purge",
      description = "Delete all messages of a queue; keeps its dead letters, groups and options.",
      footer = {
        "  holdfast queue purge orders",
        "  holdfast queue purge orders --partition eu --yes"
      })
  static final class Purge implements Callable<Integer> {
    @Mixin private Target target;
    @Mixin private ConfirmOptions confirm;

    @Option(names = "--partition", paramLabel = "<name>", description = "Only this partition.")
    private @Nullable String partition;

    @Override
    public Integer call() {
      return target.remote.run(
          broker ->
              confirm.confirm(
                  target.remote,
                  effect(broker),
                  () ->
                      target.print(
                          "purged",
                          broker.purge(new PurgeRequest(target.queue, partition)).orThrow())));
    }

    private String effect(Broker broker) {
      Counts counts = broker.queue(target.queue).orThrow().counts();
      return partition == null
          ? "this deletes all messages of the queue %s: %s stored (%s in flight), %d delayed; %s are kept"
              .formatted(
                  target.queue,
                  Labels.count(counts.stored(), "message"),
                  Labels.count(counts.inFlight(), "message"),
                  counts.delayed(),
                  Labels.count(counts.dead(), "dead letter"))
          : "this deletes all messages of the partition %s of the queue %s"
              .formatted(partition, target.queue);
    }
  }

  /** The {@code queue delete} command. */
  @Command(
      name = "delete",
      description = "Delete a queue and everything in it.",
      footer = {"  holdfast queue delete orders", "  holdfast queue delete orders --yes"})
  static final class Delete implements Callable<Integer> {
    @Mixin private Target target;
    @Mixin private ConfirmOptions confirm;

    @Override
    public Integer call() {
      return target.remote.run(
          broker ->
              confirm.confirm(
                  target.remote,
                  effect(broker.queue(target.queue).orThrow()),
                  () -> target.print("deleted", broker.deleteQueue(target.queue).orThrow())));
    }

    private static String effect(QueueInfo info) {
      Counts counts = info.counts();
      return "this deletes the queue %s with %s, %s and %s"
          .formatted(
              info.name(),
              Labels.count(counts.stored() + counts.delayed(), "message"),
              Labels.count(counts.dead(), "dead letter"),
              Labels.count(info.groups(), "group"));
    }
  }
}
