package io.holdfast.cli;

import io.holdfast.api.TimeSource;
import io.holdfast.server.access.Token;
import io.holdfast.server.access.TokenJson;
import io.holdfast.server.http.JsonOut;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The {@code token revoke} command. */
@Command(
    name = "revoke",
    description = "Ends a token; within a second it opens nothing any more.",
    mixinStandardHelpOptions = true)
final class TokenRevokeCommand implements Callable<Integer> {
  @Mixin private TokenOptions options;

  @Parameters(paramLabel = "<id>", description = "Its id, as token list shows it.")
  private String id;

  @Override
  public Integer call() {
    return options.run(
        file -> {
          long nowMs = TimeSource.SYSTEM.wallMs();
          Token token = file.revoke(id, nowMs);
          if (token == null) {
            return options.fail(
                ExitCode.SOFTWARE, "there is no token " + id + " in " + file.path());
          }
          return options.json()
              ? options.print(
                  TokenJson.shown(new JsonOut().beginObject(), token, nowMs).endObject())
              : options.print("token " + id + " (" + token.name() + ") is revoked");
        });
  }
}
