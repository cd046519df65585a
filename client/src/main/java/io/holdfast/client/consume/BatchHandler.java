package io.holdfast.client.consume;

import java.util.List;

/** What an application does with the messages of one pop. */
@FunctionalInterface
public interface BatchHandler {
  /** Returning says that all are done; throwing says that all failed that it did not settle. */
  void handle(List<HeldMessage> messages) throws Exception;
}
