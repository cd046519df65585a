package io.holdfast.cli.groups;

import io.holdfast.api.Broker;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.queue.Affected;
import io.holdfast.cli.options.CommandGroup;
import io.holdfast.cli.options.ConfirmOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The {@code group} command. */
@Command(
    name = "group",
    description = "Delete a consumer group; see also 'groups' and 'seek'.",
    subcommands = GroupCommand.Delete.class,
    footer = "  holdfast group delete orders billing")
public final class GroupCommand extends CommandGroup {
  /** The group of a command. */
  static final class Target {
    @Parameters(index = "0", paramLabel = "<queue>", description = "Queue name.")
    private String queue;

    @Parameters(index = "1", paramLabel = "<group>", description = "Consumer group.")
    private String group;

    String queue() {
      return queue;
    }

    String group() {
      return group;
    }

    /**
     * Reads the group.
     *
     * @throws IllegalStateException if it does not exist
     */
    GroupInfo read(Broker broker) {
      List<GroupInfo> found = broker.groups(new GroupsRequest(queue, group)).orThrow().items();
      if (found.isEmpty()) {
        throw new IllegalStateException(
            "the queue " + queue + " has no group " + group + "; list them with 'holdfast groups'");
      }
      return found.getFirst();
    }
  }

  /** The {@code group delete} command. */
  @Command(
      name = "delete",
      description = "Delete a consumer group of a queue, with its leases and dead letters.",
      footer = "  holdfast group delete orders billing --yes")
  static final class Delete implements Callable<Integer> {
    @Mixin private ServerOptions remote;
    @Mixin private Target target;
    @Mixin private ConfirmOptions confirm;

    @Override
    public Integer call() {
      return remote.run(
          broker ->
              confirm.confirm(
                  remote,
                  effect(target.read(broker)),
                  () -> print(broker.deleteGroup(target.queue(), target.group()).orThrow())));
    }

    private static String effect(GroupInfo group) {
      return "this deletes the group %s of the queue %s, which has %s to process, %s and %s"
          .formatted(
              group.group(),
              group.queue(),
              Labels.count(group.lag(), "message"),
              Labels.count(group.leases(), "lease"),
              Labels.count(group.dead(), "dead letter"));
    }

    private int print(Affected affected) {
      return remote.print(
          CommandOutput.line(
              "group " + target.group() + " of queue " + target.queue() + " deleted",
              out ->
                  out.put("queue", target.queue())
                      .put("group", target.group())
                      .put("deleted", affected.count())));
    }
  }
}
