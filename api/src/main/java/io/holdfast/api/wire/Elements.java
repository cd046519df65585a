package io.holdfast.api.wire;

import io.holdfast.api.Page;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The codecs of lists, sets, maps and pages: how many there are, then each. */
final class Elements {
  /** Room for so many is made before the first was read, whatever count was told. */
  private static final int ROOM_MAX = 1024;

  private Elements() {}

  static <T> Codec<List<T>> list(Codec<T> element) {
    return new ElementsCodec<>("list of ", element, List.of(), ArrayList::new);
  }

  static <T> Codec<Set<T>> set(Codec<T> element) {
    return new ElementsCodec<>("set of ", element, Set.of(), LinkedHashSet::new);
  }

  static <K, V> Codec<Map<K, V>> map(Codec<K> key, Codec<V> value) {
    return new MapCodec<>(key, value);
  }

  private record ElementsCodec<T, C extends Collection<T>>(
      String what, Codec<T> element, C absent, IntFunction<? extends C> room) implements Codec<C> {
    @Override
    public void write(WireOut out, @Nullable C values) {
      C some = Scalars.present(values);
      out.unsigned(some.size());
      for (T value : some) {
        element.write(out, value);
      }
    }

    @Override
    public C read(WireIn in) {
      int count = in.count();
      if (count == 0) {
        return absent;
      }
      C values = room.apply(Math.min(count, ROOM_MAX));
      for (int i = 0; i < count; i++) {
        values.add(Scalars.present(element.read(in)));
      }
      return values;
    }

    @Override
    public String name() {
      return what + element.name();
    }
  }

  private record MapCodec<K, V>(Codec<K> key, Codec<V> value) implements Codec<Map<K, V>> {
    @Override
    public void write(WireOut out, @Nullable Map<K, V> values) {
      Map<K, V> some = Scalars.present(values);
      out.unsigned(some.size());
      for (Map.Entry<K, V> entry : some.entrySet()) {
        key.write(out, entry.getKey());
        value.write(out, entry.getValue());
      }
    }

    @Override
    public Map<K, V> read(WireIn in) {
      int count = in.count();
      if (count == 0) {
        return Map.of();
      }
      Map<K, V> values = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        put(values, Scalars.present(key.read(in)), value.read(in));
      }
      return values;
    }

    // An option without a value stands for its default; nothing else may have none.
    @SuppressWarnings("NullAway")
    private void put(Map<K, V> values, K name, @Nullable V read) {
      values.put(name, value.equals(Scalars.OPTION_VALUE) ? read : Scalars.present(read));
    }

    @Override
    public Map<K, V> absent() {
      return Map.of();
    }

    @Override
    public String name() {
      return "map of " + key.name() + " to " + value.name();
    }
  }

  /** A page of a list: its items, then where the next one begins. */
  record PageCodec<T>(Codec<List<T>> items) implements Codec<Page<T>> {
    @Override
    public void write(WireOut out, @Nullable Page<T> page) {
      Page<T> some = Scalars.present(page);
      int begun = out.begin();
      items.write(out, some.items());
      out.text(some.next());
      out.end(begun);
    }

    @Override
    public Page<T> read(WireIn in) {
      int outer = in.enter();
      if (outer < 0) {
        throw new WireException("the body: expected a page, but there is none");
      }
      List<T> some = Scalars.present(items.read(in));
      String next = in.hasMore() ? in.text() : null;
      in.leave(outer, this);
      return new Page<>(some, next);
    }

    @Override
    public @Nullable Page<T> absent() {
      return null;
    }

    @Override
    public String name() {
      return "page of " + items.name();
    }
  }
}
