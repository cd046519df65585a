package io.holdfast.client.remote;

import io.holdfast.api.Broker;
import java.io.IOException;

/** The same over a shared connection. */
class RemoteBrokerOverFramesTest extends RemoteBrokerTest {
  @Override
  boolean usesFrames() {
    return true;
  }

  @Override
  TestServer serve(Broker broker) throws IOException {
    return TestServer.overFrames(broker);
  }
}
