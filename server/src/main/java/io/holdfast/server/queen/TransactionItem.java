package io.holdfast.server.queen;

import io.holdfast.api.Limits;
import io.holdfast.api.message.NewMessage;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Shape;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One operation of a transaction, as JSON has it. */
sealed interface TransactionItem {
  /** Messages to push. */
  record Push(List<NewMessage> messages, boolean ignoreDuplicates) implements TransactionItem {}

  /** A message to settle. */
  record Ack(AckItem item) implements TransactionItem {}

  Shape SHAPE =
      Shape.merged(
          List.of(
              Shape.required("type", Shape.words("push", "ack"), "What to do."),
              Shape.optional(
                  "items",
                  Shape.array(MessageItem.SHAPE),
                  "Of a push: the messages. A single one may stand here itself."),
              Shape.optional(
                  "onDuplicate",
                  Shape.words("fail", "ignore"),
                  "Of a push: what a transactionId that is there already does to the whole;"
                      + " fail.")),
          Shape.fieldsOf("Of a push: ", MessageItem.SHAPE),
          Shape.fieldsOf("Of an ack: ", AckItem.SHAPE));

  /** Reads the object the reader stands on. */
  static TransactionItem read(JsonIn in) {
    String type = Objects.requireNonNullElse(in.ahead("type"), "");
    String place = in.place();
    return switch (type) {
      case "push" -> push(in, place);
      case "ack" -> ack(in, place);
      default ->
          throw Problem.field(
              place + ".type",
              "expected push or ack, but "
                  + (type.isEmpty() ? "there is none" : "got another word"));
    };
  }

  private static Push push(JsonIn in, String place) {
    MessageItem inline = MessageItem.blank();
    String first = null;
    List<NewMessage> items = null;
    boolean ignore = false;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "type" -> in.text();
        case "items" -> items = in.list(Limits.BATCH_MAX, MessageItem::read);
        case "onDuplicate" -> ignore = MessageItem.ignoresDuplicates(in);
        default -> {
          if (!inline.readField(field, in)) {
            throw in.unknown(
                Stream.concat(
                        Stream.of("type", "items", "onDuplicate"), MessageItem.FIELDS.stream())
                    .toList());
          }
          first = first == null ? field : first;
        }
      }
    }
    return new Push(messages(items, inline, first, place), ignore);
  }

  private static List<NewMessage> messages(
      @Nullable List<NewMessage> items, MessageItem inline, @Nullable String first, String place) {
    if (items == null) {
      return List.of(inline.message(() -> place));
    }
    if (first != null) {
      throw Problem.field(place + '.' + first, "expected items or a message here, but got both");
    }
    return items;
  }

  private static Ack ack(JsonIn in, String place) {
    AckItem item = new AckItem();
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (field.equals("type")) {
        in.text();
      } else if (!item.readField(field, in)) {
        throw in.unknown(Stream.concat(Stream.of("type"), AckItem.FIELDS.stream()).toList());
      }
    }
    item.check(() -> place, false);
    return new Ack(item);
  }
}
