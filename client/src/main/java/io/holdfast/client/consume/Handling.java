package io.holdfast.client.consume;

import java.util.List;
import java.util.function.BooleanSupplier;

/** How a worker brings the messages of a batch to the application. */
interface Handling {
  /** What a worker lends for it. */
  record Tools(HandlerCalls calls, Books books, QueueFacts facts, BooleanSupplier isEnding) {
    /** What was acked at delivery is handled even then: it would be lost. */
    private boolean mayBegin(HeldBatch batch) {
      return !batch.lease.exists() || !(batch.lease.isLost() || isEnding.getAsBoolean());
    }
  }

  /** Handles what it can of a batch; what it has not begun stays open. */
  void handle(HeldBatch batch, Tools tools);

  /** One by one; not past a failed message of an ordered partition. */
  record Each(MessageHandler handler) implements Handling {
    @Override
    public void handle(HeldBatch batch, Tools tools) {
      for (HeldMessage message : batch.messages) {
        if (!tools.mayBegin(batch)) {
          return;
        }
        if (message.isOpen()) {
          tools.books().sendWhatIsDue(batch);
          if (batch.enter(List.of(message))) {
            handle(batch, message, tools);
          }
        }
      }
    }

    private void handle(HeldBatch batch, HeldMessage message, Tools tools) {
      HandlerCalls calls = tools.calls();
      Throwable thrown = calls.call(batch, 1, () -> handler.handle(message));
      Throwable failure = calls.tell(message, thrown);
      if (failure == null) {
        message.markDone();
      } else if (batch.lease.exists()) {
        boolean rest = tools.facts().failureBlocks();
        tools.books().failed(batch, message, failure.toString(), rest);
      }
    }
  }

  /** All at once. */
  record Batch(BatchHandler handler) implements Handling {
    @Override
    public void handle(HeldBatch batch, Tools tools) {
      List<HeldMessage> messages = batch.open();
      if (messages.isEmpty() || !tools.mayBegin(batch) || !batch.enter(messages)) {
        return;
      }
      HandlerCalls calls = tools.calls();
      Throwable thrown = calls.call(batch, messages.size(), () -> handler.handle(messages));
      for (HeldMessage message : messages) {
        Throwable failure = calls.tell(message, thrown);
        if (failure == null) {
          message.markDone();
        } else {
          tools.books().failed(batch, message, failure.toString(), false);
        }
      }
    }
  }
}
