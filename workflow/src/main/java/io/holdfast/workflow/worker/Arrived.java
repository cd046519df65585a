package io.holdfast.workflow.worker;

import io.holdfast.api.message.Message;
import io.holdfast.api.wire.WireException;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.message.Forms;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.Digest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that came for a flow.
 *
 * @param sentMs when it was sent; 0 if that is not known any more
 * @param incarnation of the flow that it starts, if it starts one; empty if that is not known any
 *     more
 */
record Arrived(byte[] payload, TurnMessage message, long sentMs, String incarnation) {
  private static final int RADIX = 36;

  /** A message that was delivered; null if it cannot be read. */
  static @Nullable Arrived of(Message message) {
    return of(message.payload(), message.createdMs(), incarnation(message.id()));
  }

  /** A message that was kept for a flow; null if it cannot be read. */
  static @Nullable Arrived kept(byte[] payload) {
    return of(payload, 0, "");
  }

  private static @Nullable Arrived of(byte[] payload, long sentMs, String incarnation) {
    try {
      return new Arrived(payload, Forms.TURN.read(payload), sentMs, incarnation);
    } catch (WireException e) {
      return null;
    }
  }

  /** Every delivery of a message gives the same name, and every message another one. */
  private static String incarnation(UUID message) {
    byte[] digest = Digest.of(message.toString().getBytes(StandardCharsets.US_ASCII));
    return Long.toUnsignedString(ByteBuffer.wrap(digest).getLong(), RADIX);
  }

  /** What it is to an execution: an event; null if it is for another one, or no input at all. */
  @Nullable Event input(ExecutionId execution, long nowMs) {
    if (message instanceof TurnMessage.ForExecution aimed && !aimed.isFor(execution)) {
      return null;
    }
    return switch (message) {
      case TurnMessage.Complete m -> new Event.Completed(nowMs, m.task(), m.result());
      case TurnMessage.Fail m -> new Event.Failed(nowMs, m.task(), m.failure());
      case TurnMessage.Fire m -> new Event.Fired(nowMs, m.task());
      case TurnMessage.Raise m -> new Event.Received(nowMs, m.id(), m.name(), m.data());
      case TurnMessage.Cancel m -> new Event.CancelRequested(nowMs, m.reason());
      default -> null;
    };
  }

  /** Whether it only brings something to an execution, or nothing at all. */
  boolean isPlain() {
    return switch (message) {
      case TurnMessage.Complete m -> true;
      case TurnMessage.Fail m -> true;
      case TurnMessage.Fire m -> true;
      case TurnMessage.Raise m -> true;
      case TurnMessage.Cancel m -> true;
      case TurnMessage.Continue m -> true;
      default -> false;
    };
  }

  static List<Event> inputs(List<Arrived> messages, ExecutionId execution, long nowMs) {
    List<Event> inputs = new ArrayList<>(messages.size());
    for (Arrived message : messages) {
      Event input = message.input(execution, nowMs);
      if (input != null) {
        inputs.add(input);
      }
    }
    return inputs;
  }

  static <M> @Nullable M first(List<Arrived> messages, Class<M> type) {
    Arrived found = firstArrived(messages, type);
    return found == null ? null : type.cast(found.message());
  }

  static @Nullable Arrived firstArrived(List<Arrived> messages, Class<?> type) {
    return messages.stream().filter(one -> type.isInstance(one.message())).findFirst().orElse(null);
  }

  static List<byte[]> payloads(List<Arrived> messages) {
    return messages.stream().map(Arrived::payload).toList();
  }
}
