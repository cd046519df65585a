package io.holdfast.cli.messages;

import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Selects a message by its id or its transaction id. */
public final class MessageOptions {
  private static final int ID_CHARS = 36;

  @Parameters(
      paramLabel = "<message>",
      description = "Message id; with --queue, the transaction id.")
  private String message;

  @Option(
      names = "--queue",
      paramLabel = "<name>",
      description = "Queue of a message given by transaction id.")
  private @Nullable String queue;

  @Option(
      names = "--partition",
      paramLabel = "<name>",
      defaultValue = NewMessage.DEFAULT_PARTITION,
      description = "Partition of a message given by transaction id (default: ${DEFAULT-VALUE}).")
  private String partition;

  public MessageRef ref() {
    return queue == null
        ? ref(message, null, partition)
        : MessageRef.named(queue, partition, message);
  }

  public static boolean isId(String text) {
    if (text.length() != ID_CHARS) {
      return false;
    }
    try {
      UUID.fromString(text);
      return true;
    } catch (IllegalArgumentException notOne) {
      return false;
    }
  }

  public static UUID id(String text) {
    if (!isId(text)) {
      throw new IllegalArgumentException(
          "<message>: expected an id such as 019b76da-a800-7000-8000-010000000001, but got "
              + text);
    }
    return UUID.fromString(text);
  }

  /** The message with an id or, if the queue is known, a transaction id. */
  public static MessageRef ref(String text, @Nullable String queue, String partition) {
    return queue == null || isId(text)
        ? MessageRef.id(id(text))
        : MessageRef.named(queue, partition, text);
  }
}
