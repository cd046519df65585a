package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Refusal;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.message.NewMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a request that depend on the configuration, checked before it reaches the shard.
 */
final class Limiter {
  /** What an event of a journal costs besides its bytes. */
  private static final int EVENT_BYTES = 16;

  private final int payloadBytesMax;
  private final long requestBytesMax;

  Limiter(EngineConfig config) {
    this.payloadBytesMax = config.payloadBytesMax();
    this.requestBytesMax = config.requestBytesMax();
  }

  /** Why messages are too large to be pushed together, or null. */
  @Nullable Refusal refusal(List<NewMessage> messages) {
    if (messages.size() > Limits.BATCH_MAX) {
      return tooLarge("a push takes " + Limits.BATCH_MAX + " messages, got " + messages.size());
    }
    long total = 0;
    for (int i = 0; i < messages.size(); i++) {
      NewMessage message = messages.get(i);
      int length = message.payload().length;
      if (length > payloadBytesMax) {
        return tooLarge(
            "message " + i + ": a payload takes " + payloadBytesMax + " bytes, got " + length);
      }
      total += length + besides(message);
    }
    return whole(total);
  }

  /** What a message holds besides its payload, in characters. */
  private static long besides(NewMessage message) {
    String name = message.transactionId();
    long size = name == null ? 0 : name.length();
    for (var header : message.headers().entrySet()) {
      size += header.getKey().length() + header.getValue().length();
    }
    return size;
  }

  /** Why operations are too large to be committed together, or null. */
  @Nullable Refusal operationsRefusal(List<Operation> operations) {
    long total = 0;
    for (int i = 0; i < operations.size(); i++) {
      long largest = 0;
      switch (operations.get(i)) {
        case Operation.PushMessage push -> {
          largest = push.message().payload().length;
          total += besides(push.message());
        }
        case Operation.AppendJournal append -> {
          for (byte[] event : append.events()) {
            largest = Math.max(largest, event.length);
            total += event.length + EVENT_BYTES;
          }
          total -= largest;
        }
        case Operation.PutRecord put -> largest = put.value().length;
        case Operation.SettleMessage settle -> {}
        case Operation.CancelMessage cancel -> {}
        case Operation.DeleteJournal delete -> {}
        case Operation.DeleteRecord delete -> {}
        case Operation.RemoveDead remove -> {}
      }
      if (largest > payloadBytesMax) {
        return tooLarge(
                "operation " + i + ": a value takes " + payloadBytesMax + " bytes, got " + largest)
            .at(i);
      }
      total += largest;
    }
    return whole(total);
  }

  private @Nullable Refusal whole(long total) {
    return total > requestBytesMax
        ? tooLarge("a request takes " + requestBytesMax + " bytes, got " + total)
        : null;
  }

  private static Refusal tooLarge(String detail) {
    return Refusal.of(ErrorCode.TOO_LARGE, detail);
  }
}
