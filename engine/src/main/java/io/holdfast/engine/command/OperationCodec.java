package io.holdfast.engine.command;

import io.holdfast.api.NewMessage;
import io.holdfast.api.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The operations of a commit as bytes. */
final class OperationCodec {
  private OperationCodec() {}

  static void write(ByteWriter out, Operation operation) {
    switch (operation) {
      case Operation.SettleMessage settle -> RequestCodec.write(out.byte1('s'), settle.settle());
      case Operation.PushMessage push -> {
        write(out.byte1('p'), push.message());
        out.flag(push.ignoreDuplicate());
      }
      case Operation.CancelMessage cancel -> RequestCodec.write(out.byte1('c'), cancel.message());
      case Operation.AppendJournal append -> {
        out.byte1('a').text(append.journal()).varint(append.expectedPosition());
        out.varint(append.events().size());
        append.events().forEach(out::bytes);
      }
      case Operation.DeleteJournal delete -> out.byte1('d').text(delete.journal());
      case Operation.PutRecord put ->
          out.byte1('r').text(put.key()).varint(put.expectedVersion()).bytes(put.value());
      case Operation.DeleteRecord delete ->
          out.byte1('x').text(delete.key()).varint(delete.expectedVersion());
      case Operation.RemoveDead remove ->
          out.byte1('k')
              .text(remove.queue())
              .long8(remove.messageId().getMostSignificantBits())
              .long8(remove.messageId().getLeastSignificantBits())
              .maybe(remove.group());
    }
  }

  static Operation read(ByteReader in) {
    return switch (in.byte1()) {
      case 's' -> new Operation.SettleMessage(RequestCodec.settle(in));
      case 'p' -> new Operation.PushMessage(message(in), in.flag());
      case 'c' -> new Operation.CancelMessage(RequestCodec.ref(in));
      case 'a' -> new Operation.AppendJournal(in.text(), in.varint(), events(in));
      case 'd' -> new Operation.DeleteJournal(in.text());
      case 'r' -> new Operation.PutRecord(in.text(), in.varint(), in.bytes());
      case 'x' -> new Operation.DeleteRecord(in.text(), in.varint());
      case 'k' -> new Operation.RemoveDead(in.text(), new UUID(in.long8(), in.long8()), in.maybe());
      default -> throw new IllegalArgumentException("operation: expected a known one");
    };
  }

  private static List<byte[]> events(ByteReader in) {
    List<byte[]> events = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      events.add(in.bytes());
    }
    return events;
  }

  private static void write(ByteWriter out, NewMessage message) {
    out.text(message.queue()).text(message.partition()).varint(message.lane());
    out.bytes(message.payload()).maybe(message.transactionId());
    out.varint(message.headers().size());
    new TreeMap<>(message.headers()).forEach((key, value) -> out.text(key).text(value));
    out.varint(message.delayMs()).varint(message.visibleAtMs());
  }

  private static NewMessage message(ByteReader in) {
    return new NewMessage(
        in.text(),
        in.text(),
        in.count(),
        in.bytes(),
        in.maybe(),
        headers(in),
        in.varint(),
        in.varint());
  }

  private static Map<String, String> headers(ByteReader in) {
    Map<String, String> headers = new TreeMap<>();
    for (int left = in.count(); left > 0; left--) {
      String key = in.text();
      headers.put(key, in.text());
    }
    return headers;
  }
}
