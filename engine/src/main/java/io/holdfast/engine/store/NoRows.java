package io.holdfast.engine.store;

/** A walk over nothing. */
enum NoRows implements Rows {
  INSTANCE;

  @Override
  public boolean next() {
    return false;
  }

  @Override
  public byte[] key() {
    throw new IllegalStateException("the walk stands on no row");
  }

  @Override
  public byte[] value() {
    throw new IllegalStateException("the walk stands on no row");
  }

  @Override
  public void close() {}
}
