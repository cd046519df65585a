package io.holdfast.cli;

import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which message a command is about. */
final class MessageOptions {
  private static final int ID_CHARS = 36;

  @Parameters(
      paramLabel = "<message>",
      description = "Its id; or with --queue, the transaction id that its producer gave.")
  private String message;

  @Option(
      names = "--queue",
      paramLabel = "<name>",
      description = "The queue of a message that is named by its transaction id.")
  private @Nullable String queue;

  @Option(
      names = "--partition",
      paramLabel = "<name>",
      defaultValue = NewMessage.DEFAULT_PARTITION,
      description = "Likewise its partition (default: ${DEFAULT-VALUE}).")
  private String partition;

  MessageRef ref() {
    return queue == null
        ? ref(message, null, partition)
        : MessageRef.named(queue, partition, message);
  }

  static boolean isId(String text) {
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

  /** An id that is written out. */
  static UUID id(String text) {
    if (!isId(text)) {
      throw new IllegalArgumentException(
          "<message>: expected an id such as 019b76da-a800-7000-8000-010000000001, but got "
              + text);
    }
    return UUID.fromString(text);
  }

  /** The message of an id, or where a queue is known, of a transaction id. */
  static MessageRef ref(String text, @Nullable String queue, String partition) {
    return queue == null || isId(text)
        ? MessageRef.id(id(text))
        : MessageRef.named(queue, partition, text);
  }
}
