package io.holdfast.cli.flows;

import io.holdfast.cli.options.ConfirmOptions;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.workflow.admin.DeleteOptions;
import io.holdfast.workflow.admin.FlowAdmin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code flows delete} command. */
@Command(
    name = "delete",
    description = "Delete ended flows with their histories; all or none.",
    footer = {
      "  holdfast flows delete o-17 o-18",
      "  holdfast flows delete o-17 --force --cascade --yes"
    })
final class FlowsDeleteCommand implements Callable<Integer> {
  @Mixin private FlowOptions options;
  @Mixin private ConfirmOptions confirm;

  @Parameters(arity = "1..*", paramLabel = "<id>", description = "Flow ids.")
  private List<String> ids = new ArrayList<>();

  @Option(names = "--cascade", description = "Also delete the child flows they waited for.")
  private boolean cascade;

  @Option(names = "--force", description = "Delete even running flows, and stop their activities.")
  private boolean force;

  @Override
  public Integer call() {
    ServerOptions remote = options.remote();
    return remote.run(
        broker ->
            confirm.confirm(
                remote,
                "this deletes "
                    + (ids.size() == 1 ? "the flow " + ids.getFirst() : ids.size() + " flows")
                    + " with all history",
                () -> remote.print(delete(options.admin(broker)))));
  }

  private CommandOutput delete(FlowAdmin admin) {
    int deleted = admin.delete(ids, new DeleteOptions(cascade, force));
    return CommandOutput.line(
        Labels.count(deleted, "flow") + " deleted", out -> out.put("deleted", deleted));
  }
}
