package io.holdfast.server.http;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** JSON being written. Payloads that are JSON are spliced in as they are. */
public final class JsonOut {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int CAPACITY = 512;

  private final ByteArrayOutputStream bytes;
  private final JsonGenerator json;

  public JsonOut() {
    this(CAPACITY);
  }

  public JsonOut(int capacity) {
    bytes = new ByteArrayOutputStream(capacity);
    json = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes, JsonEncoding.UTF8);
  }

  public JsonOut beginObject() {
    json.writeStartObject();
    return this;
  }

  public JsonOut beginObject(String name) {
    json.writeName(name);
    json.writeStartObject();
    return this;
  }

  public JsonOut endObject() {
    json.writeEndObject();
    return this;
  }

  public JsonOut beginArray() {
    json.writeStartArray();
    return this;
  }

  public JsonOut beginArray(String name) {
    json.writeName(name);
    json.writeStartArray();
    return this;
  }

  public JsonOut endArray() {
    json.writeEndArray();
    return this;
  }

  /** The name of a field whose value comes next. */
  public JsonOut name(String name) {
    json.writeName(name);
    return this;
  }

  public JsonOut put(String name, @Nullable String value) {
    json.writeName(name);
    return add(value);
  }

  public JsonOut put(String name, long value) {
    json.writeName(name);
    json.writeNumber(value);
    return this;
  }

  public JsonOut put(String name, double value) {
    json.writeName(name);
    json.writeNumber(value);
    return this;
  }

  public JsonOut put(String name, boolean value) {
    json.writeName(name);
    json.writeBoolean(value);
    return this;
  }

  public JsonOut putNull(String name) {
    json.writeName(name);
    json.writeNull();
    return this;
  }

  /** A time in epoch milliseconds, written out; null if it is 0. */
  public JsonOut putTime(String name, long epochMs) {
    return put(name, epochMs == 0 ? null : Times.text(epochMs));
  }

  /** A time in epoch milliseconds, written as epoch seconds with a fraction. */
  public JsonOut putSeconds(String name, long epochMs) {
    json.writeName(name);
    json.writeNumber(BigDecimal.valueOf(epochMs, 3));
    return this;
  }

  /** An option's value: a text, a whole number or a truth. */
  public JsonOut putValue(String name, Object value) {
    return switch (value) {
      case Boolean flag -> put(name, flag.booleanValue());
      case Number number -> put(name, number.longValue());
      default -> put(name, value.toString());
    };
  }

  public JsonOut add(@Nullable String value) {
    if (value == null) {
      json.writeNull();
    } else {
      json.writeString(value);
    }
    return this;
  }

  public JsonOut add(long value) {
    json.writeNumber(value);
    return this;
  }

  public JsonOut add(boolean value) {
    json.writeBoolean(value);
    return this;
  }

  /**
   * A payload: as it is if it is JSON; else null, and under the name with {@code Base64} behind it
   * what it is.
   */
  public JsonOut putPayload(String name, byte[] payload) {
    json.writeName(name);
    if (JsonCheck.isOneValue(payload)) {
      json.writeRawValue(new RawJson(payload));
      return this;
    }
    json.writeNull();
    return put(name + "Base64", Base64.getEncoder().encodeToString(payload));
  }

  /** A payload as an element of an array; one that is not JSON as an object with its base64. */
  public JsonOut addPayload(byte[] payload) {
    if (JsonCheck.isOneValue(payload)) {
      json.writeRawValue(new RawJson(payload));
      return this;
    }
    return beginObject().put("base64", Base64.getEncoder().encodeToString(payload)).endObject();
  }

  /** The whole, as UTF-8. */
  public byte[] done() {
    json.close();
    return bytes.toByteArray();
  }
}
