package io.holdfast.workflow.worker;

import io.holdfast.api.wire.WireException;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.message.Forms;
import io.holdfast.workflow.message.TurnMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message that came for a flow.
 *
 * @param sentMs when it was sent; 0 if that is not known any more
 */
record Arrived(byte[] payload, TurnMessage message, long sentMs) {
  /** The message that bytes stand for; null if they cannot be read. */
  static @Nullable Arrived of(byte[] payload, long sentMs) {
    try {
      return new Arrived(payload, Forms.TURN.read(payload), sentMs);
    } catch (WireException e) {
      return null;
    }
  }

  /** What it is to an execution: an event; null if it is for another one, or no input at all. */
  @Nullable Event input(long execution, long nowMs) {
    return switch (message) {
      case TurnMessage.Complete m ->
          m.execution() == execution ? new Event.Completed(nowMs, m.task(), m.result()) : null;
      case TurnMessage.Fail m ->
          m.execution() == execution ? new Event.Failed(nowMs, m.task(), m.failure()) : null;
      case TurnMessage.Fire m ->
          m.execution() == execution ? new Event.Fired(nowMs, m.task()) : null;
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

  static List<Event> inputs(List<Arrived> messages, long execution, long nowMs) {
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
    for (Arrived arrived : messages) {
      if (type.isInstance(arrived.message())) {
        return type.cast(arrived.message());
      }
    }
    return null;
  }

  static List<byte[]> payloads(List<Arrived> messages) {
    return messages.stream().map(Arrived::payload).toList();
  }
}
