package io.holdfast.workflow.admin;

import io.holdfast.api.Broker;

/** Deleting, with a broker that is asked over HTTP. */
class RemoteDeletionInTurnTest extends DeletionInTurnTest {
  @Override
  Broker openBroker() {
    return ServedBroker.start();
  }
}
