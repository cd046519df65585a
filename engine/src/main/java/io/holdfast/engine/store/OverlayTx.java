package io.holdfast.engine.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch laid over the batches before it and over the stored rows.
 *
 * <p>Thread: the one that applies commands; after the hand-over only its {@link #log} is read, by
 * the thread that writes.
 */
final class OverlayTx implements Tx {
  private final long number;
  private final View base;
  private final @Nullable KnownNames names;
  private final Layer[] layers;
  private final Writes log = new Writes();

  /**
   * @param number counts the batches of its store
   * @param layers newest first; the first one is this batch's own
   */
  OverlayTx(long number, View base, @Nullable KnownNames names, Layer[] layers) {
    this.number = number;
    this.base = base;
    this.names = names;
    this.layers = layers;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    layers[0].put(new Key(key), value);
    log.put(key, value);
    if (names != null && KnownNames.isName(key)) {
      names.add(key, number);
    }
  }

  @Override
  public void delete(byte[] key) {
    layers[0].delete(new Key(key));
    log.delete(key);
  }

  @Override
  public void deleteRange(byte[] from, byte[] to) {
    Key start = new Key(from);
    Key end = new Key(to);
    if (start.compareTo(end) < 0) {
      layers[0].deleteRange(start, end);
      log.deleteRange(from, to);
    }
  }

  @Override
  public void clear() {
    layers[0].clear();
    log.clear();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    if (isNewName(key)) {
      return null;
    }
    byte[] value = unwritten(key);
    if (value != null) {
      return LayerTable.isGone(value) ? null : value;
    }
    return base.get(key);
  }

  private boolean isNewName(byte[] key) {
    return names != null && KnownNames.isName(key) && names.isNew(key);
  }

  /** The value in a batch that is not written, perhaps one that says it is gone; else null. */
  private byte @Nullable [] unwritten(byte[] key) {
    Key wanted = new Key(key);
    for (Layer layer : layers) {
      // What is written is in the base, and so is every batch before it.
      if (layer.written()) {
        break;
      }
      byte[] value = layer.get(wanted);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    List<byte[]> rest = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      byte[] value = isNewName(key) ? LayerTable.GONE : unwritten(key);
      values.add(value);
      if (value == null) {
        rest.add(key);
      }
    }
    Iterator<byte @Nullable []> stored = base.getAll(rest).iterator();
    for (int i = 0; i < values.size(); i++) {
      byte[] value = values.get(i);
      values.set(i, value == null ? stored.next() : LayerTable.isGone(value) ? null : value);
    }
    return values;
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
    Key start = new Key(from);
    Key end = new Key(to);
    if (start.compareTo(end) >= 0) {
      return NoRows.INSTANCE;
    }
    // Layers first, then the base: a batch written in between is seen twice, which changes nothing;
    // the other way round it would be seen by neither.
    Layer[] unwritten = unwritten();
    Rows below = back ? base.scanBack(from, to) : base.scan(from, to);
    return new OverlayRows(unwritten, below, start, end, back);
  }

  private Layer[] unwritten() {
    int count = 0;
    while (count < layers.length && !layers[count].written()) {
      count++;
    }
    return Arrays.copyOf(layers, count);
  }

  @Override
  public int writes() {
    return log.count();
  }

  @Override
  public long bytes() {
    return log.bytes();
  }

  long number() {
    return number;
  }

  Writes log() {
    return log;
  }

  void markWritten() {
    layers[0].markWritten();
  }
}
