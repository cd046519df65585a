package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.cli.terminal.Text;
import io.holdfast.server.http.JsonOut;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code group} command: looks after one consumer group. */
@Command(
    name = "group",
    description = "Deletes one consumer group; 'groups' lists them, 'seek' moves one.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "<command>",
    subcommands = GroupCommand.Delete.class,
    footerHeading = "%nExamples:%n",
    footer = "  holdfast group delete orders billing")
final class GroupCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    Main.help(spec);
  }

  /** Which group is meant. */
  static final class Named {
    @Parameters(index = "0", paramLabel = "<queue>", description = "The queue.")
    private String queue;

    @Parameters(index = "1", paramLabel = "<group>", description = "The group.")
    private String group;

    String queue() {
      return queue;
    }

    String group() {
      return group;
    }

    /**
     * The group as it is now.
     *
     * @throws IllegalStateException if there is none
     */
    GroupInfo look(Broker broker) {
      List<GroupInfo> found = broker.groups(new GroupsRequest(queue, group)).orThrow().items();
      if (found.isEmpty()) {
        throw new IllegalStateException(
            "the queue " + queue + " has no group " + group + "; 'holdfast groups' lists them");
      }
      return found.getFirst();
    }
  }

  /** The {@code group delete} command. */
  @Command(
      name = "delete",
      description = "Forgets a group of a queue, with its leases and dead letters.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  holdfast group delete orders billing --yes")
  static final class Delete implements Callable<Integer> {
    @Mixin private RemoteOptions remote;
    @Mixin private Named named;
    @Mixin private ConfirmOptions confirm;

    @Override
    public Integer call() {
      return remote.run(
          broker ->
              confirm.unlessRefused(
                  remote,
                  words(named.look(broker)),
                  () -> tell(broker.deleteGroup(named.queue(), named.group()).orThrow())));
    }

    private static String words(GroupInfo group) {
      return "this forgets the group "
          + group.group()
          + " of the queue "
          + group.queue()
          + ", which has "
          + Words.count(group.lag(), "message")
          + " still to settle, "
          + Words.count(group.leases(), "lease")
          + " and "
          + Words.count(group.dead(), "dead letter");
    }

    private int tell(Affected affected) {
      return remote.print(
          Told.of(
              () ->
                  new JsonOut()
                      .beginObject()
                      .put("queue", named.queue())
                      .put("group", named.group())
                      .put("deleted", affected.count())
                      .endObject(),
              () ->
                  new Text()
                      .line(
                          "group ", named.group(), " of queue ", named.queue(), " is forgotten")));
    }
  }
}
