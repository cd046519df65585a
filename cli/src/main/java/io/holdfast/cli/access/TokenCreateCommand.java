package io.holdfast.cli.access;

import io.holdfast.api.Limits;
import io.holdfast.api.TimeSource;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.Token;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenJson;
import io.holdfast.server.access.TokenWish;
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
      "Create an access token and print it; the file contains only its hash.",
      "Roles: admin (everything), read-write (push, pop, read), read-only (read), write-only (push)."
    },
    footer = {"  holdfast token create --role read-write --queues 'orders.*' --name billing"})
final class TokenCreateCommand implements Callable<Integer> {
  @Mixin private TokenOptions options;

  @Option(
      names = "--role",
      paramLabel = "<role>",
      required = true,
      description = "Role: admin, read-write, read-only or write-only.")
  private String role;

  @Option(
      names = "--queues",
      paramLabel = "<patterns>",
      description =
          "Queues, journals and records it gives access to, such as 'orders.*,mail' (default: all).")
  private @Nullable String queues;

  @Option(
      names = "--name",
      paramLabel = "<name>",
      description = "Display name (default: the role).")
  private @Nullable String name;

  @Option(
      names = "--expires",
      paramLabel = "<duration>",
      converter = DurationConverter.class,
      description = "Lifetime such as 90d, 12h or 30m (default: unlimited).")
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
                  // An empty pattern is refused: a slip must not give access to all queues.
                  queues == null
                      ? NamePatterns.ALL
                      : NamePatterns.of(List.of(queues.split(",", -1))),
                  expiresMs == null ? 0 : nowMs + lifetime(expiresMs));
          TokenFile.Made made = file.create(wish, nowMs);
          return options.print(
              CommandOutput.of(() -> TokenJson.CREATED_TOKEN.out(made), () -> text(made, file)));
        });
  }

  private static long lifetime(long ms) {
    if (ms < 1 || ms > Limits.DURATION_MS_MAX) {
      throw new IllegalArgumentException("--expires: expected a duration up to 100 years");
    }
    return ms;
  }

  private static Text text(TokenFile.Made made, TokenFile file) {
    Token token = made.token();
    return new Text()
        .line(made.text())
        .blank()
        .field("id", token.id())
        .field("name", token.name())
        .field("role", token.role().word())
        .field("queues", token.names())
        .field("expires", token.expiresMs() == 0 ? "never" : TextTable.time(token.expiresMs()))
        .field("file", file.path())
        .blank()
        .line("The first line is the token. It is printed only once; keep it safe.")
        .line("Send it as: Authorization: Bearer <token>");
  }
}
