package io.holdfast.cli;

import io.holdfast.api.TimeSource;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.access.Token;
import io.holdfast.server.access.TokenJson;
import io.holdfast.server.http.JsonOut;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code token list} command. */
@Command(
    name = "list",
    description = "Lists tokens, oldest first, without their secrets.",
    mixinStandardHelpOptions = true)
final class TokenListCommand implements Callable<Integer> {
  @Mixin private TokenOptions options;

  @Override
  public Integer call() {
    return options.run(
        file -> {
          List<Token> tokens = file.read();
          long nowMs = TimeSource.SYSTEM.wallMs();
          return options.json() ? json(tokens, nowMs) : options.print(table(tokens, nowMs));
        });
  }

  private int json(List<Token> tokens, long nowMs) {
    JsonOut out = new JsonOut().beginObject().beginArray("tokens");
    for (Token token : tokens) {
      TokenJson.shown(out.beginObject(), token, nowMs).endObject();
    }
    return options.print(out.endArray().endObject());
  }

  private static String table(List<Token> tokens, long nowMs) {
    if (tokens.isEmpty()) {
      return "no tokens";
    }
    TextTable table =
        new TextTable("ID", "NAME", "ROLE", "QUEUES", "STATE", "CREATED", "EXPIRES", "REVOKED");
    for (Token token : tokens) {
      table.row(
          token.id(),
          token.name(),
          token.role().word(),
          token.names(),
          token.state(nowMs),
          TextTable.time(token.createdMs()),
          TextTable.time(token.expiresMs()),
          TextTable.time(token.revokedMs()));
    }
    return table.toString();
  }
}
