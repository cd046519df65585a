package io.holdfast.workflow.admin;

import io.holdfast.api.Broker;

/** Retention, with a broker that is asked over HTTP. */
class RemoteRetentionTest extends RetentionTest {
  @Override
  Broker openBroker() {
    return ServedBroker.start();
  }
}
