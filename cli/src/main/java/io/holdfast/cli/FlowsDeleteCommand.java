package io.holdfast.cli;

import io.holdfast.cli.terminal.Text;
import io.holdfast.server.http.JsonOut;
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
    description = "Deletes flows that have ended, with all that is kept of them; all or none.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast flows delete o-17 o-18",
      "  holdfast flows delete o-17 --force --cascade --yes"
    })
final class FlowsDeleteCommand implements Callable<Integer> {
  @Mixin private FlowOptions options;
  @Mixin private ConfirmOptions confirm;

  @Parameters(arity = "1..*", paramLabel = "<id>", description = "The flows.")
  private List<String> ids = new ArrayList<>();

  @Option(names = "--cascade", description = "Those that they started and waited for as well.")
  private boolean cascade;

  @Option(
      names = "--force",
      description = "Even if they have not ended; what they have under way is stopped.")
  private boolean force;

  @Override
  public Integer call() {
    RemoteOptions remote = options.remote();
    return remote.run(
        broker ->
            confirm.unlessRefused(
                remote,
                "this deletes "
                    + (ids.size() == 1 ? "the flow " + ids.getFirst() : ids.size() + " flows")
                    + " with all that is kept of them",
                () -> remote.print(delete(options.admin(broker)))));
  }

  private Told delete(FlowAdmin admin) {
    int deleted = admin.delete(ids, new DeleteOptions(cascade, force));
    return Told.of(
        () -> new JsonOut().beginObject().put("deleted", deleted).endObject(),
        () -> new Text().line(Words.count(deleted, "flow"), " gone"));
  }
}
