package io.holdfast.cli.access;

import io.holdfast.api.TimeSource;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.terminal.Text;
import io.holdfast.server.access.Token;
import io.holdfast.server.access.TokenJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The {@code token revoke} command. */
@Command(
    name = "revoke",
    description = "Revoke an access token; a running server refuses it within a second.",
    footer = {"  holdfast token revoke ey2m2e9htf"})
final class TokenRevokeCommand implements Callable<Integer> {
  @Mixin private TokenOptions options;

  @Parameters(paramLabel = "<id>", description = "Token id, as printed by 'token list'.")
  private String id;

  @Override
  public Integer call() {
    return options.run(
        file -> {
          long nowMs = TimeSource.SYSTEM.wallMs();
          Token token = file.revoke(id, nowMs);
          if (token == null) {
            return options.fail("no such token: " + id + " in " + file.path());
          }
          return options.print(
              CommandOutput.of(
                  () -> TokenJson.TOKEN.out(new TokenJson.State(token, nowMs)),
                  () -> new Text().line("token " + id + " (" + token.name() + ") revoked")));
        });
  }
}
