package io.holdfast.server.access;

import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.server.http.Route;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Bodies of a verb that are as large as one likes: long lists of its records, and plain bytes. */
final class BombVerbs {
  private final Verb<?, ?> verb;
  private final Map<String, IntFunction<byte[]>> manyElements = new LinkedHashMap<>();
  private final Map<String, IntFunction<byte[]>> others = new LinkedHashMap<>();

  BombVerbs(Route route, Aim aim) {
    String name = route.path().substring(Verbs.PATH.length());
    verb = Verbs.ALL.stream().filter(one -> one.name().equals(name)).findAny().orElseThrow();
    int number = 0;
    for (Samples.Sample sample : Samples.of(verb, aim)) {
      Object request = Objects.requireNonNull(sample.value());
      RecordComponent[] components = request.getClass().getRecordComponents();
      for (int i = 0; components != null && i < components.length; i++) {
        if (value(request, components[i]) instanceof List<?> list && !list.isEmpty()) {
          Object element = list.getFirst();
          int at = i;
          manyElements.put(
              components[i].getName() + " #" + number++,
              n -> bytes(with(request, at, Collections.nCopies(n, element))));
        }
      }
    }
    if (verb == Verbs.SETTLE) {
      manyElements.put(
          "distinct leases",
          n ->
              bytes(
                  new SettleRequest(
                      IntStream.range(0, n).mapToObj(i -> Settle.ackAll("lease" + i)).toList(),
                      false)));
    }
    for (int fill : new int[] {0, 1, 2, 0x7f, 0x80, 0xff}) {
      others.put("bytes " + fill, n -> filled(10 * n, (byte) fill));
    }
  }

  /** Bodies with lists of so many elements, by their names. */
  Map<String, IntFunction<byte[]>> manyElements() {
    return manyElements;
  }

  /** All other large bodies, by their names. */
  Map<String, IntFunction<byte[]>> others() {
    return others;
  }

  private static byte[] filled(int length, byte fill) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, fill);
    return bytes;
  }

  private static Object value(Object of, RecordComponent component) {
    try {
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("a record of the API cannot be read or made", impossible);
    }
  }

  /** The same record with another value at a place. */
  private static Object with(Object request, int at, Object other) {
    RecordComponent[] components = request.getClass().getRecordComponents();
    Object[] values =
        IntStream.range(0, components.length)
            .mapToObj(i -> i == at ? other : value(request, components[i]))
            .toArray();
    try {
      return request
          .getClass()
          .getConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new))
          .newInstance(values);
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("a record of the API cannot be read or made", impossible);
    }
  }

  @SuppressWarnings("unchecked")
  private <I> byte[] bytes(Object request) {
    return ((Verb<I, ?>) verb).requestBytes((I) request);
  }
}
