package io.holdfast.client.tasks;

/** The same over a shared connection. */
class TaskOverFramesTest extends TaskOverHttpTest {
  @Override
  protected boolean usesFrames() {
    return true;
  }
}
