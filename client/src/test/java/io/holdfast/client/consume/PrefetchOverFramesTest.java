package io.holdfast.client.consume;

/** The same over a shared connection. */
class PrefetchOverFramesTest extends PrefetchOverHttpTest {
  @Override
  protected boolean usesFrames() {
    return true;
  }
}
