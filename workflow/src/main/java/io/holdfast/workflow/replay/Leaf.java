package io.holdfast.workflow.replay;

import io.holdfast.workflow.Failure;
import io.holdfast.workflow.history.Event;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** A task that an event of the history began, and another one ends. */
final class Leaf<T> extends FlowTask<T> {
  final long number;
  final Event begun;
  private final Type type;
  private byte @Nullable [] bytes;
  private @Nullable Object value;

  Leaf(Context context, long number, Event begun, Type type) {
    super(context);
    this.number = number;
    this.begun = begun;
    this.type = type;
  }

  void complete(byte @Nullable [] result) {
    bytes = result;
    settle(null, number);
  }

  void fail(Failure failure) {
    settle(failure, number);
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"})
  T result() {
    byte[] unread = bytes;
    if (unread != null) {
      value = context.decoded(unread, type, number);
      bytes = null;
    }
    return (T) value;
  }

  @Override
  public void cancel() {
    context.check();
    context.cancel(this);
  }
}
