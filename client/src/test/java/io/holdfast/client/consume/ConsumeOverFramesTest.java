package io.holdfast.client.consume;

/** The same over a shared connection. */
class ConsumeOverFramesTest extends ConsumeOverHttpTest {
  @Override
  protected boolean usesFrames() {
    return true;
  }
}
