package io.holdfast.api.wire;

import io.holdfast.api.Page;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The codecs of all kinds of values, each made when it is first asked for.
 *
 * <p>Thread: one at a time; what it has made may be used by all.
 */
final class Codecs {
  private final Map<Type, Codec<?>> made = new LinkedHashMap<>();

  Codecs() {
    made.put(long.class, Scalars.NUMBER);
    made.put(int.class, Scalars.SMALL_NUMBER);
    made.put(Integer.class, Scalars.SMALL_NUMBER);
    made.put(boolean.class, Scalars.TRUTH);
    made.put(String.class, Scalars.TEXT);
    made.put(byte[].class, Scalars.BYTES);
    made.put(UUID.class, Scalars.ID);
    made.put(Object.class, Scalars.OPTION_VALUE);
    made.put(QueueOption.class, Scalars.OPTION);
    made.put(QueueOptions.class, Scalars.OPTIONS);
  }

  @SuppressWarnings("unchecked")
  <T> Codec<T> of(Class<T> type) {
    return (Codec<T>) codec(type);
  }

  <T> Codec<Page<T>> page(Class<T> item) {
    return new Elements.PageCodec<>(Elements.list(of(item)));
  }

  @SuppressWarnings("unchecked")
  private Codec<Object> codec(Type type) {
    Codec<?> known = made.get(type);
    if (known == null) {
      known = make(type);
      made.put(type, known);
    }
    return (Codec<Object>) known;
  }

  private Codec<?> make(Type type) {
    if (type instanceof WildcardType any) {
      return codec(any.getUpperBounds()[0]);
    }
    if (type instanceof ParameterizedType some) {
      return collection(some);
    }
    if (type instanceof Class<?> one) {
      if (one.isRecord()) {
        return record(one);
      }
      if (one.isEnum()) {
        return new EnumCodec(one);
      }
      if (one.isSealed()) {
        return sealed(one);
      }
    }
    throw new IllegalStateException("expected a kind of value that has a form, but got " + type);
  }

  private Codec<?> collection(ParameterizedType type) {
    List<Codec<Object>> codecs =
        Arrays.stream(type.getActualTypeArguments()).map(this::codec).toList();
    if (type.getRawType() == List.class) {
      return Elements.list(codecs.get(0));
    }
    if (type.getRawType() == Set.class) {
      return Elements.set(codecs.get(0));
    }
    if (type.getRawType() == Map.class) {
      return Elements.map(codecs.get(0), codecs.get(1));
    }
    throw new IllegalStateException("expected a list, a set or a map, but got " + type);
  }

  @SuppressWarnings("unchecked")
  private <R extends Record> RecordCodec<R> record(Class<?> type) {
    List<Codec<Object>> codecs = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      codecs.add(codec(component.getGenericType()));
    }
    return new RecordCodec<>((Class<R>) type, codecs);
  }

  private <T> SealedCodec<T> sealed(Class<T> type) {
    List<Class<?>> kinds = List.of(type.getPermittedSubclasses());
    List<RecordCodec<?>> codecs = new ArrayList<>();
    for (Class<?> kind : kinds) {
      if (!((Codec<?>) codec(kind) instanceof RecordCodec<?> record)) {
        throw new IllegalStateException("expected a record, but got " + kind);
      }
      codecs.add(record);
    }
    return new SealedCodec<>(type, kinds, codecs);
  }

  /**
   * What each record, choice and enumeration looks like, one a line, in the order of their names.
   */
  List<String> described() {
    List<String> lines = new ArrayList<>();
    for (Codec<?> codec : made.values()) {
      if (codec instanceof RecordCodec<?> record) {
        lines.add(record.name() + " { " + record.fields() + " }");
      } else if (codec instanceof SealedCodec<?> choice) {
        lines.add(choice.name() + " = " + choice.kinds());
      } else if (codec instanceof EnumCodec words) {
        lines.add(words.name() + " = " + words.words());
      }
    }
    lines.sort(null);
    return lines;
  }
}
