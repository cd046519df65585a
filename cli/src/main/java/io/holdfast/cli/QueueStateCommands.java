package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.cli.terminal.Text;
import io.holdfast.server.http.JsonOut;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code queue} that stop, empty and delete one. */
final class QueueStateCommands {
  private QueueStateCommands() {}

  /** The queue that is meant. */
  static final class Named {
    @Mixin private RemoteOptions remote;

    @Parameters(paramLabel = "<queue>", description = "The queue.")
    private String queue;

    private int pause(boolean paused) {
      return remote.show(
          broker -> {
            QueueInfo info = broker.pause(queue, paused).orThrow();
            return Told.of(
                () ->
                    new JsonOut()
                        .beginObject()
                        .put("name", queue)
                        .put("paused", info.paused())
                        .endObject(),
                () ->
                    new Text()
                        .line(
                            paused
                                ? "queue "
                                    + queue
                                    + " is paused: pushes and acks go on, nothing is delivered"
                                : "queue " + queue + " delivers again"));
          });
    }

    private int tell(String what, Affected affected) {
      return remote.print(
          Told.of(
              () ->
                  new JsonOut()
                      .beginObject()
                      .put("name", queue)
                      .put(what, affected.count())
                      .endObject(),
              () ->
                  new Text()
                      .line(
                          "queue ",
                          queue,
                          " is ",
                          what,
                          ": ",
                          Words.count(affected.count(), "message"),
                          " gone")));
    }
  }

  /** The {@code queue pause} command. */
  @Command(
      name = "pause",
      description = "Stops deliveries from a queue; pushes and acks go on.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  holdfast queue pause orders")
  static final class Pause implements Callable<Integer> {
    @Mixin private Named named;

    @Override
    public Integer call() {
      return named.pause(true);
    }
  }

  /** The {@code queue resume} command. */
  @Command(
      name = "resume",
      description = "Lets a paused queue deliver again.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  holdfast queue resume orders")
  static final class Resume implements Callable<Integer> {
    @Mixin private Named named;

    @Override
    public Integer call() {
      return named.pause(false);
    }
  }

  /** The {@code queue purge} command. */
  @Command(
      name = "purge",
      description = "Removes the messages of a queue; its dead letters, groups and options stay.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast queue purge orders",
        "  holdfast queue purge orders --partition eu --yes"
      })
  static final class Purge implements Callable<Integer> {
    @Mixin private Named named;
    @Mixin private ConfirmOptions confirm;

    @Option(names = "--partition", paramLabel = "<name>", description = "Only this partition.")
    private @Nullable String partition;

    @Override
    public Integer call() {
      return named.remote.run(
          broker ->
              confirm.unlessRefused(
                  named.remote,
                  words(broker),
                  () ->
                      named.tell(
                          "purged",
                          broker.purge(new PurgeRequest(named.queue, partition)).orThrow())));
    }

    private String words(Broker broker) {
      Counts counts = broker.queue(named.queue).orThrow().counts();
      return partition == null
          ? "this removes every message of the queue "
              + named.queue
              + ": "
              + Words.count(counts.stored(), "message")
              + " stored ("
              + Words.count(counts.inFlight(), "message")
              + " in flight), "
              + counts.delayed()
              + " delayed; "
              + Words.count(counts.dead(), "dead letter")
              + " stay"
          : "this removes every message of the partition "
              + partition
              + " of the queue "
              + named.queue;
    }
  }

  /** The {@code queue delete} command. */
  @Command(
      name = "delete",
      description = "Deletes a queue and all it holds.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {"  holdfast queue delete orders", "  holdfast queue delete orders --yes"})
  static final class Delete implements Callable<Integer> {
    @Mixin private Named named;
    @Mixin private ConfirmOptions confirm;

    @Override
    public Integer call() {
      return named.remote.run(
          broker ->
              confirm.unlessRefused(
                  named.remote,
                  words(broker.queue(named.queue).orThrow()),
                  () -> named.tell("deleted", broker.deleteQueue(named.queue).orThrow())));
    }

    private static String words(QueueInfo info) {
      Counts counts = info.counts();
      return "this deletes the queue "
          + info.name()
          + " with "
          + Words.count(counts.stored() + counts.delayed(), "message")
          + ", "
          + Words.count(counts.dead(), "dead letter")
          + " and "
          + Words.count(info.groups(), "group");
    }
  }
}
