package io.holdfast.client.consume;

import java.util.List;
import java.util.function.BooleanSupplier;

/** How a worker brings the messages of a lease to the application. */
interface Handling {
  /** What a worker lends for it. */
  record Tools(HandlerCalls calls, Books books, QueueFacts facts, BooleanSupplier isEnding) {
    /** What was acked at delivery is handled even then: it would be lost. */
    private boolean mayBegin(HeldLease lease) {
      return !lease.exists() || !(lease.isLost() || isEnding.getAsBoolean());
    }
  }

  /** Handles what it can of a lease; what it has not begun stays open. */
  void handle(HeldLease lease, Tools tools);

  /** One by one; not past a failed message of an ordered partition. */
  record Each(MessageHandler handler) implements Handling {
    @Override
    public void handle(HeldLease lease, Tools tools) {
      for (HeldMessage message : lease.messages) {
        if (!tools.mayBegin(lease)) {
          return;
        }
        if (message.isOpen()) {
          tools.books().sendWhatIsDue(lease);
          if (lease.enter(List.of(message))) {
            handle(lease, message, tools);
          }
        }
      }
    }

    private void handle(HeldLease lease, HeldMessage message, Tools tools) {
      HandlerCalls calls = tools.calls();
      Throwable thrown = calls.call(lease, 1, () -> handler.handle(message));
      Throwable failure = calls.tell(message, thrown);
      if (failure == null) {
        message.markDone();
      } else if (lease.exists()) {
        boolean rest = tools.facts().failureBlocks();
        tools.books().failed(lease, message, failure.toString(), rest);
      }
    }
  }

  /** All at once. */
  record Batch(BatchHandler handler) implements Handling {
    @Override
    public void handle(HeldLease lease, Tools tools) {
      if (!tools.mayBegin(lease) || !lease.enter(lease.messages)) {
        return;
      }
      HandlerCalls calls = tools.calls();
      Throwable thrown =
          calls.call(lease, lease.messages.size(), () -> handler.handle(lease.messages));
      for (HeldMessage message : lease.messages) {
        Throwable failure = calls.tell(message, thrown);
        if (failure == null) {
          message.markDone();
        } else {
          tools.books().failed(lease, message, failure.toString(), false);
        }
      }
    }
  }
}
