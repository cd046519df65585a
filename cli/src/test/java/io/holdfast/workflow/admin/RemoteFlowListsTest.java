package io.holdfast.workflow.admin;

import io.holdfast.api.Broker;

/** The lists, with a broker that is asked over HTTP. */
class RemoteFlowListsTest extends FlowListsTest {
  @Override
  Broker openBroker() {
    return ServedBroker.start();
  }
}
