package io.holdfast.workflow.admin;

import io.holdfast.api.Broker;

/** The views, with a broker that is asked over HTTP. */
class RemoteFlowViewsTest extends FlowViewsTest {
  @Override
  Broker openBroker() {
    return ServedBroker.start();
  }
}
