package io.holdfast.cli.access;

import io.holdfast.api.TimeSource;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.access.Token;
import io.holdfast.server.access.TokenJson;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code token list} command. */
@Command(
    name = "list",
    description = "List access tokens, oldest first, without their secrets.",
    footer = {"  holdfast token list"})
final class TokenListCommand implements Callable<Integer> {
  @Mixin private TokenOptions options;

  @Override
  public Integer call() {
    return options.run(
        file -> {
          List<Token> tokens = file.read();
          long nowMs = TimeSource.SYSTEM.wallMs();
          return options.print(
              CommandOutput.of(
                  () -> TokenJson.LIST.out(TokenJson.states(tokens, nowMs)),
                  () -> text(tokens, nowMs)));
        });
  }

  private static Text text(List<Token> tokens, long nowMs) {
    if (tokens.isEmpty()) {
      return new Text().line("no tokens");
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
    return new Text().table(table);
  }
}
