package io.holdfast.cli;

import io.holdfast.api.TimeSource;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.Token;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenJson;
import io.holdfast.server.access.TokenWish;
import io.holdfast.server.http.JsonOut;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code token create} command. */
@Command(
    name = "create",
    description = {
      "Makes a token and shows it, this once: only a hash of it is kept.",
      "Roles: admin everything; read-write push, pop and look; read-only look; write-only push."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast token create --role read-write --queues 'orders.*' --name billing"})
final class TokenCreateCommand implements Callable<Integer> {
  @Mixin private TokenOptions options;

  @Option(
      names = "--role",
      paramLabel = "<role>",
      required = true,
      description = "What it is for: admin, read-write, read-only or write-only.")
  private String role;

  @Option(
      names = "--queues",
      paramLabel = "<patterns>",
      description =
          "The queues, journals and records it is for, such as 'orders.*,mail'; else all.")
  private @Nullable String queues;

  @Option(names = "--name", paramLabel = "<name>", description = "For people; else the role.")
  private @Nullable String name;

  @Option(
      names = "--expires",
      paramLabel = "<time>",
      converter = Lifetime.class,
      description = "How long it is good, such as 90d, 12h or 30m; else for ever.")
  private @Nullable Long expiresMs;

  @Override
  public Integer call() {
    return options.run(
        file -> {
          long nowMs = TimeSource.SYSTEM.wallMs();
          Role known = Role.of(role);
          TokenWish wish =
              new TokenWish(
                  name == null ? known.word() : name,
                  known,
                  // Empty ones stay, and are refused: a slip must not open all queues.
                  queues == null
                      ? NamePatterns.ALL
                      : NamePatterns.of(List.of(queues.split(",", -1))),
                  expiresMs == null ? 0 : nowMs + expiresMs);
          TokenFile.Made made = file.create(wish, nowMs);
          return options.json() ? json(made, nowMs) : text(made, file);
        });
  }

  private int json(TokenFile.Made made, long nowMs) {
    JsonOut out = new JsonOut().beginObject().put("token", made.text());
    return options.print(TokenJson.shown(out, made.token(), nowMs).endObject());
  }

  private int text(TokenFile.Made made, TokenFile file) {
    Token token = made.token();
    return options.print(
        String.join(
            System.lineSeparator(),
            made.text(),
            "",
            "  id       " + token.id(),
            "  name     " + token.name(),
            "  role     " + token.role().word(),
            "  queues   " + token.names(),
            "  expires  " + (token.expiresMs() == 0 ? "never" : TextTable.time(token.expiresMs())),
            "  file     " + file.path(),
            "",
            "The first line is the token. It is shown this once; keep it safe. Callers send it as",
            "  Authorization: Bearer <token>"));
  }
}
