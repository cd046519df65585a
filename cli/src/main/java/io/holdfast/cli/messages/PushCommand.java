package io.holdfast.cli.messages;

import io.holdfast.api.message.NewMessage;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.TimeArgument;
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
    description = "Push messages to a queue; the queue is created if it does not exist.",
    footer = {
      "  holdfast push orders '{\"sum\":12}'",
      "  holdfast push orders @order.json --priority 1 --delay 30s --header source=shop",
      "  holdfast push notes --text 'plain words'",
      "  seq 1000 | holdfast push numbers --lines"
    })
public final class PushCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;

  @Parameters(index = "0", paramLabel = "<queue>", description = "Queue name.")
  private String queue;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "<payload>",
      description =
          "Payload as JSON; @file to read a file, - or nothing to read the standard input.")
  private @Nullable String payload;

  @Option(names = "--lines", description = "Push each non-empty line of the input as one message.")
  private boolean lines;

  @Option(names = "--text", description = "Push the payload as a JSON string.")
  private boolean text;

  @Option(
      names = "--raw",
      description =
          "Push the bytes unchanged, even if they are not JSON; HTTP returns them in base64.")
  private boolean raw;

  @Option(
      names = "--partition",
      paramLabel = "<name>",
      defaultValue = NewMessage.DEFAULT_PARTITION,
      description = "Partition name (default: ${DEFAULT-VALUE}).")
  private String partition;

  @Option(
      names = "--priority",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "Priority, 0 is delivered first (default: ${DEFAULT-VALUE}).")
  private int priority;

  @Option(
      names = "--delay",
      paramLabel = "<duration>",
      converter = DurationConverter.class,
      description = "Delay delivery, for example by 30s.")
  private @Nullable Long delayMs;

  @Option(
      names = "--at",
      paramLabel = "<time>",
      converter = TimeArgument.Converter.class,
      description = "Delay delivery until a time such as 2026-11-15T18:00:00Z or +2h.")
  private @Nullable TimeArgument at;

  @Option(
      names = "--transaction-id",
      paramLabel = "<name>",
      description = "Deduplication id: a second message with the same id is not stored.")
  private @Nullable String transactionId;

  @Option(
      names = "--header",
      paramLabel = "<name>=<value>",
      description = "Message header; may be repeated.")
  private Map<String, String> headers = new LinkedHashMap<>();

  @Option(
      names = "--count",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Push the payload this many times, for tests (default: ${DEFAULT-VALUE}).")
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
            return new BatchPusher(broker, remote, message).run(source, this::payload, count);
          } catch (IOException unread) {
            throw new IllegalArgumentException(
                "cannot read the payload: " + unread.getMessage(), unread);
          }
        });
  }

  private void check() {
    if (count < 1) {
      throw new IllegalArgumentException("--count: expected 1 or more, but got " + count);
    }
    if (text && raw) {
      throw new IllegalArgumentException("--text: expected --text or --raw, but got both");
    }
    if (transactionId != null && (lines || count > 1)) {
      throw new IllegalArgumentException(
          "--transaction-id: expected one message, as only one is stored under an id");
    }
  }

  private byte[] payload(byte[] bytes, String where) {
    if (raw) {
      return bytes;
    }
    return text ? JsonPayload.ofText(bytes) : JsonPayload.checked(bytes, where);
  }
}
