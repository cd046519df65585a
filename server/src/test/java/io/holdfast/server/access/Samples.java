package io.holdfast.server.access;

import io.holdfast.api.lease.Settle;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Requests of all verbs that are aimed at something: made from their records, so that a verb or a
 * choice that is new has some without anybody writing them down.
 */
final class Samples {
  /**
   * A value.
   *
   * @param names whether a queue, journal or record is named in it
   */
  record Sample(@Nullable Object value, boolean names) {}

  private final Aim aim;
  private final boolean lease;

  private Samples(Aim aim, boolean lease) {
    this.aim = aim;
    this.lease = lease;
  }

  /** Requests of a verb: one of each choice that its records have. */
  static List<Sample> of(Verb<?, ?> verb, Aim aim) {
    return new Samples(aim, verb == Verbs.LEASE).of(requestOf(verb), verb.name(), false);
  }

  private static Type requestOf(Verb<?, ?> verb) {
    for (Field field : Verbs.class.getFields()) {
      try {
        if (field.getType() == Verb.class && field.get(null) == verb) {
          return ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0];
        }
      } catch (IllegalAccessException impossible) {
        throw new AssertionError(impossible);
      }
    }
    throw new AssertionError("no field of Verbs holds " + verb);
  }

  private List<Sample> of(Type type, String name, boolean nullable) {
    if (type instanceof ParameterizedType generic) {
      return collection(generic, name);
    }
    Class<?> plain = (Class<?>) type;
    if (plain == String.class) {
      return texts(name, nullable);
    }
    if (nullable) {
      return List.of(new Sample(null, false));
    }
    if (plain.isSealed() && plain.isInterface()) {
      return Arrays.stream(plain.getPermittedSubclasses())
          .flatMap(choice -> of(choice, name, false).stream())
          .toList();
    }
    if (plain.isRecord()) {
      return records(plain);
    }
    return List.of(new Sample(scalar(plain, name), false));
  }

  private List<Sample> collection(ParameterizedType type, String name) {
    if (type.getRawType() == Map.class) {
      return List.of(new Sample(Map.of(), false));
    }
    if (type.getRawType() == Set.class) {
      return List.of(new Sample(Set.of(), false));
    }
    return of(type.getActualTypeArguments()[0], name, false).stream()
        .map(one -> new Sample(List.of(Objects.requireNonNull(one.value())), one.names()))
        .toList();
  }

  private List<Sample> texts(String name, boolean nullable) {
    List<Sample> texts = new ArrayList<>();
    switch (name) {
      case "queue" -> texts.add(new Sample(aim.queue(), true));
      case "name" -> texts.add(new Sample(lease ? aim.lease() : aim.queue(), !lease));
      case "journal", "key" -> texts.add(new Sample(aim.kept(), true));
      case "leaseId", "joinLease" -> texts.add(new Sample(aim.lease(), false));
      case "group" -> texts.add(new Sample(aim.group(), false));
      case "partition" -> texts.add(new Sample("Default", false));
      case "transactionId" -> texts.add(new Sample(aim.name(), false));
      case "namespace" -> texts.add(new Sample("shared-namespace", false));
      case "prefix" -> texts.add(new Sample("", false));
      default -> {
        if (!nullable) {
          throw new AssertionError("nobody knows what text " + name + " may be");
        }
      }
    }
    if (nullable) {
      texts.add(new Sample(null, false));
    }
    return texts;
  }

  private Object scalar(Class<?> type, String name) {
    if (type == boolean.class) {
      return false;
    }
    if (type == byte[].class) {
      return new byte[] {'1'};
    }
    if (type == UUID.class) {
      return aim.id();
    }
    if (type == QueueOptions.class) {
      return QueueOptions.DEFAULTS;
    }
    if (type.isEnum()) {
      return type == Settle.Outcome.class ? Settle.Outcome.ACK : type.getEnumConstants()[0];
    }
    long number =
        switch (name) {
          case "partition" -> aim.position().partition();
          case "seq" -> aim.position().seq();
          case "lane" -> aim.position().lane();
          case "toMs" -> Long.MAX_VALUE;
          case "limit", "batch", "partitions" -> 1;
          case "leaseMs" -> 1_000;
          case "visibleAtMs" -> 1L << 41;
          case "newerThan", "expectedVersion" -> -1;
          default -> 0;
        };
    return type == int.class ? (Object) (int) number : (Object) number;
  }

  /** One with the first sample of every component, and one more for each further sample. */
  private List<Sample> records(Class<?> type) {
    List<List<Sample>> parts = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
      parts.add(of(component.getGenericType(), component.getName(), nullable));
    }
    List<Sample> records = new ArrayList<>();
    List<Sample> first = parts.stream().map(List::getFirst).toList();
    records.add(present(type, first));
    for (int i = 0; i < parts.size(); i++) {
      for (Sample other : parts.get(i).subList(1, parts.get(i).size())) {
        List<Sample> varied = new ArrayList<>(first);
        varied.set(i, other);
        Sample record = record(type, varied);
        if (record != null) {
          records.add(record);
        }
      }
    }
    return records;
  }

  private static Sample present(Class<?> type, List<Sample> parts) {
    Sample record = record(type, parts);
    if (record == null) {
      throw new AssertionError(type + " refuses " + parts);
    }
    return record;
  }

  /** Null if the record refuses these parts together. */
  private static @Nullable Sample record(Class<?> type, List<Sample> parts) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Object made =
          type.getDeclaredConstructor(types)
              .newInstance(parts.stream().map(Sample::value).toArray());
      return new Sample(made, parts.stream().anyMatch(Sample::names));
    } catch (InvocationTargetException refused) {
      if (refused.getCause() instanceof IllegalArgumentException) {
        return null;
      }
      throw new AssertionError(type + " of " + parts, refused.getCause());
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError(impossible.getMessage(), impossible);
    }
  }
}
