package io.holdfast.engine.store;

/** A walk over rows. It stands before the first one; close it on the thread that opened it. */
public interface Rows extends AutoCloseable {
  /** Steps to the next row; false after the last one. */
  boolean next();

  byte[] key();

  byte[] value();

  @Override
  void close();
}
