package io.holdfast.json;

import io.holdfast.api.message.Message;
import io.holdfast.api.message.Seal;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** JSON being written. Payloads that are JSON are spliced in as they are. */
public final class JsonOut {
  private static final int CAPACITY = 512;
  private static final byte[] NULL = ascii("null");
  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");

  private final JsonBytes json;

  public JsonOut() {
    this(CAPACITY);
  }

  public JsonOut(int capacity) {
    json = new JsonBytes(capacity);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  public JsonOut beginObject() {
    json.begin('{');
    return this;
  }

  public JsonOut beginObject(String name) {
    json.name(name);
    json.begin('{');
    return this;
  }

  public JsonOut endObject() {
    json.end('}');
    return this;
  }

  public JsonOut beginArray() {
    json.begin('[');
    return this;
  }

  public JsonOut beginArray(String name) {
    json.name(name);
    json.begin('[');
    return this;
  }

  public JsonOut endArray() {
    json.end(']');
    return this;
  }

  /** The name of a field whose value comes next. */
  public JsonOut name(String name) {
    json.name(name);
    return this;
  }

  public JsonOut put(String name, @Nullable String value) {
    json.name(name);
    return add(value);
  }

  /** A text, or if there is none, an id in its place. */
  public JsonOut put(String name, @Nullable String value, UUID otherwise) {
    return value == null ? put(name, otherwise) : put(name, value);
  }

  public JsonOut put(String name, UUID value) {
    json.name(name);
    json.id(value);
    return this;
  }

  public JsonOut put(String name, long value) {
    json.name(name);
    json.number(value);
    return this;
  }

  public JsonOut put(String name, double value) {
    json.name(name);
    return add(value);
  }

  public JsonOut put(String name, boolean value) {
    json.name(name);
    json.json(value ? TRUE : FALSE);
    return this;
  }

  public JsonOut putNull(String name) {
    json.name(name);
    json.json(NULL);
    return this;
  }

  /** A time in epoch milliseconds, written out; null if it is 0. */
  public JsonOut putTime(String name, long epochMs) {
    return put(name, epochMs == 0 ? null : Times.text(epochMs));
  }

  /** A time in epoch milliseconds, written as epoch seconds with a fraction. */
  public JsonOut putSeconds(String name, long epochMs) {
    json.name(name);
    return addSeconds(epochMs);
  }

  JsonOut addSeconds(long epochMs) {
    json.json(ascii(BigDecimal.valueOf(epochMs, 3).toPlainString()));
    return this;
  }

  /** A text, a whole number, a truth, or an object or array of them. */
  public JsonOut putValue(String name, Object value) {
    json.name(name);
    return addValue(value);
  }

  /** The same as an element, or behind its name. */
  public JsonOut addValue(Object value) {
    return switch (value) {
      case Boolean flag -> add(flag.booleanValue());
      case Number number -> add(number.longValue());
      case Map<?, ?> object -> {
        beginObject();
        object.forEach((name, field) -> putValue(name.toString(), field));
        yield endObject();
      }
      case Collection<?> elements -> {
        beginArray();
        elements.forEach(this::addValue);
        yield endArray();
      }
      default -> add(value.toString());
    };
  }

  public JsonOut add(@Nullable String value) {
    if (value == null) {
      json.json(NULL);
    } else {
      json.text(value);
    }
    return this;
  }

  public JsonOut add(long value) {
    json.number(value);
    return this;
  }

  public JsonOut add(double value) {
    json.json(Double.isFinite(value) ? ascii(Double.toString(value)) : NULL);
    return this;
  }

  public JsonOut add(UUID value) {
    json.id(value);
    return this;
  }

  public JsonOut add(boolean value) {
    json.json(value ? TRUE : FALSE);
    return this;
  }

  /**
   * A payload: as it is if it is JSON; else null, and under the name with {@code Base64} behind it
   * what it is.
   */
  public JsonOut putPayload(String name, byte[] payload) {
    json.name(name);
    if (JsonCheck.isOneValue(payload)) {
      json.json(payload);
      return this;
    }
    json.json(NULL);
    return put(name + "Base64", Base64.getEncoder().encodeToString(payload));
  }

  /** The payload of a message; if it could not be decrypted null, and why. */
  public JsonOut putPayload(String name, Message message) {
    Seal seal = message.seal();
    if (seal == null || seal.problem() == null) {
      return putPayload(name, message.payload());
    }
    json.name(name);
    json.json(NULL);
    return put(name + "Problem", seal.problem());
  }

  /** A payload as an element of an array; one that is not JSON as an object with its base64. */
  public JsonOut addPayload(byte[] payload) {
    if (JsonCheck.isOneValue(payload)) {
      json.json(payload);
      return this;
    }
    return beginObject().put("base64", Base64.getEncoder().encodeToString(payload)).endObject();
  }

  /** The whole, as UTF-8. */
  public byte[] done() {
    return json.done();
  }
}
