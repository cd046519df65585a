package io.holdfast.cli;

import io.holdfast.api.message.NewMessage;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code push} command. */
@Command(
    name = "push",
    description = "Pushes messages into a queue, which is made if it is new.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast push orders '{\"sum\":12}'",
      "  holdfast push orders @order.json --priority 1 --delay 30s --header source=shop",
      "  holdfast push notes --text 'plain words'",
      "  seq 1000 | holdfast push numbers --lines"
    })
final class PushCommand implements Callable<Integer> {
  @Mixin private RemoteOptions remote;

  @Parameters(index = "0", paramLabel = "<queue>", description = "The queue.")
  private String queue;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "<payload>",
      description =
          "What the message carries, as JSON; @file for what a file holds, - for what is piped in,"
              + " which is also taken if there is nothing here.")
  private @Nullable String payload;

  @Option(
      names = "--lines",
      description = "Each line of a file or of what is piped in is a message; empty ones are not.")
  private boolean lines;

  @Option(names = "--text", description = "The payload is text, and becomes a text in JSON.")
  private boolean text;

  @Option(
      names = "--raw",
      description = "The payload is pushed as it is, also if it is not JSON; HTTP shows base64.")
  private boolean raw;

  @Option(
      names = "--partition",
      paramLabel = "<name>",
      defaultValue = NewMessage.DEFAULT_PARTITION,
      description = "The partition (default: ${DEFAULT-VALUE}).")
  private String partition;

  @Option(
      names = "--priority",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "The priority, 0 first (default: ${DEFAULT-VALUE}).")
  private int priority;

  @Option(
      names = "--delay",
      paramLabel = "<duration>",
      converter = DurationText.class,
      description = "Deliver it only after this long, such as 30s.")
  private @Nullable Long delayMs;

  @Option(
      names = "--at",
      paramLabel = "<time>",
      converter = Moment.Text.class,
      description = "Deliver it only from a time on.")
  private @Nullable Moment at;

  @Option(
      names = "--transaction-id",
      paramLabel = "<name>",
      description = "Your name for it: a second message of that name is not stored.")
  private @Nullable String transactionId;

  @Option(
      names = "--header",
      paramLabel = "<name>=<value>",
      description = "A header; may be repeated.")
  private Map<String, String> headers = new LinkedHashMap<>();

  @Option(
      names = "--count",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Push it so many times, for a try (default: ${DEFAULT-VALUE}).")
  private long count;

  @Override
  public Integer call() {
    return remote.run(
        broker -> {
          check();
          NewMessage message =
              new NewMessage(
                  queue,
                  partition,
                  priority,
                  new byte[0],
                  transactionId,
                  headers,
                  delayMs == null ? 0 : delayMs,
                  at == null ? 0 : at.at(broker));
          try (PayloadSource source = PayloadSource.open(payload, lines, remote.terminal())) {
            return new Pushing(broker, remote, message).run(source, this::payload, count);
          } catch (IOException unread) {
            throw new IllegalArgumentException(
                "the payload cannot be read: " + unread.getMessage(), unread);
          }
        });
  }

  private void check() {
    if (count < 1) {
      throw new IllegalArgumentException("--count: expected 1 or more, but got " + count);
    }
    if (text && raw) {
      throw new IllegalArgumentException("--text: expected this or --raw, but got both");
    }
    if (transactionId != null && (lines || count > 1)) {
      throw new IllegalArgumentException(
          "--transaction-id: expected one message, as only one can have that name");
    }
  }

  /** The payload of bytes that came. */
  private byte[] payload(byte[] bytes, String where) {
    if (raw) {
      return bytes;
    }
    return text ? JsonPayload.ofText(bytes) : JsonPayload.checked(bytes, where);
  }
}
