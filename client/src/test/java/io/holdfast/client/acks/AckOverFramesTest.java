package io.holdfast.client.acks;

/** The same over a shared connection. */
class AckOverFramesTest extends AckOverHttpTest {
  @Override
  protected boolean usesFrames() {
    return true;
  }
}
