package io.holdfast.server.access;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What was learned and never changes, as much of it as there is room for.
 *
 * <p>It is kept in two generations: when the young one is full it becomes the old one, which is
 * dropped. What is used stays young.
 *
 * <p>Thread: any.
 *
 * @param <K> what it is about
 * @param <V> what was learned
 */
final class Remembered<K, V> {
  private static final class Generations<K, V> {
    private final ConcurrentMap<K, V> young = new ConcurrentHashMap<>();
    private final ConcurrentMap<K, V> old;

    private Generations(ConcurrentMap<K, V> old) {
      this.old = old;
    }
  }

  private final int generationMax;
  private volatile Generations<K, V> generations = new Generations<>(new ConcurrentHashMap<>());

  Remembered(int generationMax) {
    this.generationMax = generationMax;
  }

  @Nullable V get(K key) {
    Generations<K, V> now = generations;
    V young = now.young.get(key);
    if (young != null) {
      return young;
    }
    V old = now.old.get(key);
    if (old != null) {
      put(key, old);
    }
    return old;
  }

  void put(K key, V value) {
    Generations<K, V> now = generations;
    if (now.young.size() >= generationMax) {
      now = next(now);
    }
    now.young.put(key, value);
  }

  private synchronized Generations<K, V> next(Generations<K, V> full) {
    if (generations == full) {
      generations = new Generations<>(full.young);
    }
    return generations;
  }

  int size() {
    Generations<K, V> now = generations;
    return now.young.size() + now.old.size();
  }
}
