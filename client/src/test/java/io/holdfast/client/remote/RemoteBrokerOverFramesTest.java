package io.holdfast.client.remote;

/** The same over a shared connection. */
class RemoteBrokerOverFramesTest extends RemoteBrokerTest {
  @Override
  boolean usesFrames() {
    return true;
  }
}
