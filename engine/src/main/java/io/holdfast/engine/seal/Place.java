package io.holdfast.engine.seal;

import io.holdfast.engine.command.ByteWriter;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a payload is bound to: all that is known of its message before it is stored, and never
 * changes. A payload opens only beside these.
 */
final class Place {
  private Place() {}

  static byte[] of(
      String queue, String partition, @Nullable String name, Map<String, String> headers) {
    ByteWriter out = new ByteWriter(64).text(queue).text(partition).maybe(name);
    out.varint(headers.size());
    if (!headers.isEmpty()) {
      new TreeMap<>(headers).forEach((key, value) -> out.text(key).text(value));
    }
    return out.done();
  }
}
