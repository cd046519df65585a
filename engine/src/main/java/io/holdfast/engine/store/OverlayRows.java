package io.holdfast.engine.store;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A walk over a store's rows with some batches laid over them, newest first.
 *
 * <p>It may be used while the newest batch grows: writes ahead of it are seen, writes behind it are
 * not, and the rows it gives do not depend on how far the older batches have been written.
 *
 * <p>Thread: the one that applies commands.
 */
final class OverlayRows implements Rows {
  private final Layer[] layers;
  private final Map.@Nullable Entry<Key, byte[]>[] heads;
  private final int[] seenChanges;
  private final Rows base;
  private final boolean back;
  private final Key from;
  private final Key to;

  private @Nullable Key baseHead;
  private boolean baseEnded;
  private @Nullable Key last;
  private @Nullable Key key;
  private byte @Nullable [] value;

  @SuppressWarnings({"unchecked", "rawtypes"})
  OverlayRows(Layer[] layers, Rows base, Key from, Key to, boolean back) {
    this.layers = layers;
    this.heads = new Map.@Nullable Entry[layers.length];
    this.seenChanges = new int[layers.length];
    this.base = base;
    this.from = from;
    this.to = to;
    this.back = back;
    for (int i = 0; i < layers.length; i++) {
      look(i);
    }
  }

  @Override
  public boolean next() {
    while (true) {
      int layer = firstLayer();
      Map.Entry<Key, byte[]> row = layer < 0 ? null : heads[layer];
      Key below = baseHead();
      if (row == null && below == null) {
        key = null;
        return false;
      }
      int order = row == null ? 1 : below == null ? -1 : compare(row.getKey(), below);
      if (row == null || order > 0) {
        last = below;
        baseHead = null;
        if (below != null && !deletedAbove(below, layers.length)) {
          key = below;
          value = null;
          return true;
        }
      } else {
        last = row.getKey();
        if (order == 0) {
          baseHead = null;
        }
        byte[] found = row.getValue();
        if (!LayerTable.isGone(found) && !deletedAbove(row.getKey(), layer)) {
          key = row.getKey();
          value = found;
          return true;
        }
      }
    }
  }

  /** The layer with the next row, the newest of those that have it; -1 when none has one. */
  private int firstLayer() {
    int first = -1;
    for (int i = 0; i < layers.length; i++) {
      Map.Entry<Key, byte[]> head = heads[i];
      if (seenChanges[i] != layers[i].changes() || (head != null && passed(head.getKey()))) {
        look(i);
        head = heads[i];
      }
      Map.Entry<Key, byte[]> best = first < 0 ? null : heads[first];
      if (head != null && (best == null || compare(head.getKey(), best.getKey()) < 0)) {
        first = i;
      }
    }
    return first;
  }

  private void look(int i) {
    seenChanges[i] = layers[i].changes();
    Key start = last;
    if (back) {
      heads[i] = layers[i].preceding(start == null ? to : start, from);
    } else {
      heads[i] = layers[i].following(start == null ? from : start, start == null, to);
    }
  }

  private boolean passed(Key row) {
    return last != null && compare(row, last) <= 0;
  }

  private @Nullable Key baseHead() {
    if (baseHead == null && !baseEnded) {
      baseEnded = !base.next();
      baseHead = baseEnded ? null : new Key(base.key());
    }
    return baseHead;
  }

  private boolean deletedAbove(Key row, int layer) {
    for (int i = 0; i < layer; i++) {
      if (layers[i].inDeletedRange(row)) {
        return true;
      }
    }
    return false;
  }

  private int compare(Key a, Key b) {
    return back ? b.compareTo(a) : a.compareTo(b);
  }

  @Override
  public byte[] key() {
    return current().bytes();
  }

  @Override
  public byte[] value() {
    current();
    if (value == null) {
      // The base still stands on this row: it steps on only when the next one is asked for.
      value = base.value();
    }
    return value;
  }

  private Key current() {
    if (key == null) {
      throw new IllegalStateException("the walk stands on no row");
    }
    return key;
  }

  @Override
  public void close() {
    base.close();
  }
}
