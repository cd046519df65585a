package io.holdfast.server.docs;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** A JSON object whose fields are added in their order. */
final class JsonMap extends LinkedHashMap<String, Object> {
  private static final long serialVersionUID = 1L;

  static JsonMap of(String name, Object value) {
    return new JsonMap().with(name, value);
  }

  /** Adds a field; nothing if its value is null. */
  JsonMap with(String name, @Nullable Object value) {
    if (value != null) {
      put(name, value);
    }
    return this;
  }
}
