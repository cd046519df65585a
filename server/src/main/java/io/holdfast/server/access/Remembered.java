package io.holdfast.server.access;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What was learned and never changes, as much of it as there is room for: what was not used for
 * longest is forgotten.
 *
 * <p>Thread: any.
 *
 * @param <K> what it is about
 * @param <V> what was learned
 */
final class Remembered<K, V> {
  private final int max;
  private final LinkedHashMap<K, V> known = new LinkedHashMap<>(16, 0.75f, true);

  Remembered(int max) {
    this.max = max;
  }

  synchronized @Nullable V get(K key) {
    return known.get(key);
  }

  synchronized void put(K key, V value) {
    known.put(key, value);
    if (known.size() > max) {
      known.pollFirstEntry();
    }
  }

  synchronized int size() {
    return known.size();
  }
}
