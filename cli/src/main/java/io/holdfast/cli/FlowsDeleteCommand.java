package io.holdfast.cli;

import io.holdfast.server.http.JsonOut;
import io.holdfast.workflow.admin.DeleteOptions;
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
    mixinStandardHelpOptions = true)
final class FlowsDeleteCommand implements Callable<Integer> {
  @Mixin private FlowOptions options;

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
    return options.run(
        admin -> {
          int deleted = admin.delete(ids, new DeleteOptions(cascade, force));
          return remote.json()
              ? remote.print(new JsonOut().beginObject().put("deleted", deleted).endObject())
              : remote.print(deleted == 1 ? "1 flow is gone" : deleted + " flows are gone");
        });
  }
}
