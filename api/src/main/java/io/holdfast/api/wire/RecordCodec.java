package io.holdfast.api.wire;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A record as bytes: its length, then what it holds, in the order it declares.
 *
 * <p>A record that gets another component at its end can still be read by older peers, and can read
 * what they write. Components at the end that hold nothing are not written, so a record whose new
 * component is not used has the same bytes as before. Any other change is a new version of the
 * wire.
 */
final class RecordCodec<T extends Record> implements Codec<T> {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.publicLookup();

  private final Class<T> type;
  private final List<String> names;
  private final Codec<Object>[] codecs;

  // Made at the first use: a program that asks one thing need not wait for the handles of all.
  /** What a record holds, as an array: one call for all, since each call of a handle costs. */
  private volatile @Nullable MethodHandle getter;

  private volatile @Nullable MethodHandle maker;

  RecordCodec(Class<T> type, List<Codec<Object>> codecs) {
    this.type = type;
    this.names = Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
    this.codecs = codecs.<Codec<Object>>toArray(RecordCodec::array);
  }

  private MethodHandle getter() {
    MethodHandle known = getter;
    if (known == null) {
      known = findGetter();
      getter = known;
    }
    return known;
  }

  private MethodHandle findGetter() {
    RecordComponent[] components = type.getRecordComponents();
    MethodHandle[] each = new MethodHandle[components.length];
    try {
      for (int i = 0; i < components.length; i++) {
        each[i] =
            LOOKUP
                .unreflect(components[i].getAccessor())
                .asType(MethodType.methodType(Object.class, Object.class));
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("expected a public record, but got " + type, e);
    }
    MethodHandle all =
        MethodHandles.identity(Object[].class).asCollector(Object[].class, each.length);
    return each.length == 0
        ? MethodHandles.dropArguments(all, 0, Object.class)
        : MethodHandles.permuteArguments(
            MethodHandles.filterArguments(all, 0, each),
            MethodType.methodType(Object[].class, Object.class),
            new int[each.length]);
  }

  private MethodHandle maker() {
    MethodHandle known = maker;
    if (known == null) {
      known = findMaker();
      maker = known;
    }
    return known;
  }

  private MethodHandle findMaker() {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return LOOKUP
          .unreflectConstructor(type.getConstructor(types))
          .asFixedArity()
          .asSpreader(Object[].class, types.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("expected a public record, but got " + type, e);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Codec<Object>[] array(int length) {
    return new Codec[length];
  }

  @Override
  public void write(WireOut out, @Nullable T value) {
    if (value == null) {
      out.octet(0);
      return;
    }
    int begun = out.begin();
    @Nullable Object[] values = values(value);
    int count = writtenCount(values);
    for (int i = 0; i < count; i++) {
      codecs[i].write(out, values[i]);
    }
    out.end(begun);
  }

  /** How many fields there are without those at the end that a reader would assume anyway. */
  private int writtenCount(@Nullable Object[] values) {
    int count = values.length;
    while (count > 0 && Objects.equals(values[count - 1], codecs[count - 1].absent())) {
      count--;
    }
    return count;
  }

  private @Nullable Object[] values(T value) {
    try {
      return (Object[]) getter().invokeExact((Object) value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public @Nullable T read(WireIn in) {
    int outer = in.enter();
    if (outer < 0) {
      return null;
    }
    @Nullable Object[] values = new Object[codecs.length];
    for (int i = 0; i < codecs.length; i++) {
      values[i] = in.hasMore() ? codecs[i].read(in) : codecs[i].absent();
    }
    in.leave(outer, this);
    return make(values);
  }

  private T make(@Nullable Object[] values) {
    try {
      return type.cast((Object) maker().invokeExact(values));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private IllegalStateException unexpected(Throwable e) {
    if (e instanceof RuntimeException refused) {
      throw refused;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("a record threw what it does not declare: " + type, e);
  }

  @Override
  public @Nullable T absent() {
    return null;
  }

  @Override
  public String name() {
    return Codec.nameOf(type);
  }

  /** Its fields, as the description of the wire has them. */
  String fields() {
    return IntStream.range(0, codecs.length)
        .mapToObj(i -> names.get(i) + ": " + codecs[i].name())
        .collect(Collectors.joining(", "));
  }
}
