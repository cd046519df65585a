package io.holdfast.engine.store;

/** The stored rows at one moment. Any platform thread may read it; close it. */
public interface Snapshot extends View, AutoCloseable {
  @Override
  void close();
}
