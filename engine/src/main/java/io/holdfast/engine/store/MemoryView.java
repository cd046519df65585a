package io.holdfast.engine.store;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rows of a map, which may be another one each time. */
final class MemoryView implements Snapshot {
  private final Supplier<NavigableMap<byte[], byte[]>> rows;

  MemoryView(Supplier<NavigableMap<byte[], byte[]>> rows) {
    this.rows = rows;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return rows.get().get(key);
  }

  @Override
  public Rows scan(byte[] from, byte[] to) {
    return rows(from, to, false);
  }

  @Override
  public Rows scanBack(byte[] from, byte[] to) {
    return rows(from, to, true);
  }

  private Rows rows(byte[] from, byte[] to, boolean back) {
    if (Arrays.compareUnsigned(from, to) >= 0) {
      return NoRows.INSTANCE;
    }
    NavigableMap<byte[], byte[]> range = rows.get().subMap(from, true, to, false);
    return new Walk((back ? range.descendingMap() : range).entrySet().iterator());
  }

  @Override
  public void close() {}

  /** A walk over the rows of a map. */
  private static final class Walk implements Rows {
    private final Iterator<Map.Entry<byte[], byte[]>> iterator;
    private Map.@Nullable Entry<byte[], byte[]> row;

    Walk(Iterator<Map.Entry<byte[], byte[]>> iterator) {
      this.iterator = iterator;
    }

    @Override
    public boolean next() {
      row = iterator.hasNext() ? iterator.next() : null;
      return row != null;
    }

    @Override
    public byte[] key() {
      return current().getKey();
    }

    @Override
    public byte[] value() {
      return current().getValue();
    }

    private Map.Entry<byte[], byte[]> current() {
      if (row == null) {
        throw new IllegalStateException("the walk stands on no row");
      }
      return row;
    }

    @Override
    public void close() {}
  }
}
