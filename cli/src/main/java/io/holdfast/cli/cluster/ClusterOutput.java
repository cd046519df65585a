package io.holdfast.cli.cluster;

import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.terminal.ByteCount;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.JsonOut;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/** The state of a cluster, as the server answers it. */
final class ClusterOutput {
  static final String PATH = "/api/v1/cluster";

  private ClusterOutput() {}

  static CommandOutput of(JsonNode status) {
    return CommandOutput.of(
        () -> new JsonOut().addPayload(status.toString().getBytes(StandardCharsets.UTF_8)),
        () -> text(status));
  }

  private static Text text(JsonNode status) {
    TextTable table =
        new TextTable(
            "NODE", "STATE", "APPLIED", "LAG", "LAG MS", "DATA", "LOG", "FREE", "VERSION",
            "CLIENTS");
    for (JsonNode node : status.path("nodes")) {
      table.row(
          node.path("name").asString(),
          state(node),
          node.path("appliedIndex").asLong(),
          node.path("lagEntries").asLong(),
          node.path("lagMs").asLong(),
          new ByteCount(node.path("dataBytes").asLong()),
          new ByteCount(node.path("logBytes").asLong()),
          new ByteCount(node.path("freeBytes").asLong()),
          node.path("version").asString(""),
          node.path("clientAddress").asString(""));
    }
    Text text =
        new Text()
            .line(
                "leader "
                    + status.path("leader").asString("unknown")
                    + ", term "
                    + status.path("term").asLong()
                    + ", committed entry "
                    + status.path("committedIndex").asLong())
            .table(table);
    String unready = status.path("unready").asString("");
    return unready.isEmpty() ? text : text.line("The node that answered is not ready: " + unready);
  }

  private static String state(JsonNode node) {
    if (node.path("leading").asBoolean()) {
      return "leader";
    }
    return node.path("reachable").asBoolean() ? "follower" : "unreachable";
  }
}
