package io.holdfast.json;

import io.holdfast.api.message.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of an object that is written: each field with its name, its type, where its value
 * comes from, and what it means.
 *
 * <p>A method that ends in {@code OrNull} declares a field that is always there and may be null;
 * {@link #optional} one that is left out instead.
 *
 * @param <T> what the object is made from
 */
public final class JsonObject<T> {
  private final List<Schema.Field> fields = new ArrayList<>();
  private final List<JsonType.Writer<T>> writers = new ArrayList<>();

  public static <T> JsonObject<T> of(Class<T> from) {
    return new JsonObject<>();
  }

  private JsonObject<T> add(Schema.Field field, JsonType.Writer<T> writer) {
    fields.add(field);
    writers.add(writer);
    return this;
  }

  private static Schema.Field always(String name, Schema schema, String explanation) {
    return new Schema.Field(name, schema, true, null, explanation);
  }

  public <V> JsonObject<T> field(
      String name, JsonType<V> type, Function<T, V> value, String explanation) {
    return add(
        always(name, type.schema(), explanation),
        (out, from) -> type.write(out.name(name), value.apply(from)));
  }

  public <V> JsonObject<T> fieldOrNull(
      String name, JsonType<V> type, Function<T, @Nullable V> value, String explanation) {
    return add(
        always(name, Schema.orNull(type.schema()), explanation),
        (out, from) -> {
          V some = value.apply(from);
          if (some == null) {
            out.putNull(name);
          } else {
            type.write(out.name(name), some);
          }
        });
  }

  public <V> JsonObject<T> optional(
      String name, JsonType<V> type, Function<T, @Nullable V> value, String explanation) {
    return add(
        new Schema.Field(name, type.schema(), false, null, explanation),
        (out, from) -> {
          V some = value.apply(from);
          if (some != null) {
            type.write(out.name(name), some);
          }
        });
  }

  public JsonObject<T> text(String name, Function<T, String> value, String explanation) {
    return add(
        always(name, Schema.TEXT, explanation), (out, from) -> out.put(name, value.apply(from)));
  }

  public JsonObject<T> textOrNull(
      String name, Function<T, @Nullable String> value, String explanation) {
    return add(
        always(name, Schema.orNull(Schema.TEXT), explanation),
        (out, from) -> out.put(name, value.apply(from)));
  }

  public JsonObject<T> queue(String name, Function<T, String> value, String explanation) {
    return add(
        always(name, Schema.QUEUE, explanation), (out, from) -> out.put(name, value.apply(from)));
  }

  public JsonObject<T> id(String name, Function<T, UUID> value, String explanation) {
    return add(
        always(name, Schema.TEXT, explanation), (out, from) -> out.put(name, value.apply(from)));
  }

  /** A text, or if there is none, an id in its place. */
  public JsonObject<T> textOrId(
      String name,
      Function<T, @Nullable String> value,
      Function<T, UUID> otherwise,
      String explanation) {
    return add(
        always(name, Schema.TEXT, explanation),
        (out, from) -> {
          String text = value.apply(from);
          if (text == null) {
            out.put(name, otherwise.apply(from));
          } else {
            out.put(name, text);
          }
        });
  }

  public JsonObject<T> whole(String name, ToLongFunction<T> value, String explanation) {
    return add(
        always(name, Schema.WHOLE, explanation),
        (out, from) -> out.put(name, value.applyAsLong(from)));
  }

  /** A whole number; null if it is negative, which stands for one that is not known. */
  public JsonObject<T> wholeOrNull(String name, ToLongFunction<T> value, String explanation) {
    return add(
        always(name, Schema.orNull(Schema.WHOLE), explanation),
        (out, from) -> {
          long number = value.applyAsLong(from);
          if (number < 0) {
            out.putNull(name);
          } else {
            out.put(name, number);
          }
        });
  }

  public JsonObject<T> number(String name, ToDoubleFunction<T> value, String explanation) {
    return add(
        always(name, Schema.NUMBER, explanation),
        (out, from) -> out.put(name, value.applyAsDouble(from)));
  }

  public JsonObject<T> flag(String name, Predicate<T> value, String explanation) {
    return add(
        always(name, Schema.FLAG, explanation), (out, from) -> out.put(name, value.test(from)));
  }

  /** A time in epoch milliseconds. */
  public JsonObject<T> time(String name, ToLongFunction<T> value, String explanation) {
    return add(
        always(name, Schema.TIME, explanation),
        (out, from) -> out.put(name, Times.text(value.applyAsLong(from))));
  }

  /** A time in epoch milliseconds; null if it is 0. */
  public JsonObject<T> timeOrNull(String name, ToLongFunction<T> value, String explanation) {
    return add(
        always(name, Schema.orNull(Schema.TIME), explanation),
        (out, from) -> out.putTime(name, value.applyAsLong(from)));
  }

  /** A field that is always null, because clients expect it. */
  public JsonObject<T> nothing(String name, String explanation) {
    return add(
        always(name, Schema.orNull(Schema.ANY), explanation), (out, from) -> out.putNull(name));
  }

  /** An object made from the same. */
  public JsonObject<T> object(String name, JsonObject<T> fields, String explanation) {
    return field(name, fields.type(), from -> from, explanation);
  }

  public <V> JsonObject<T> list(
      String name,
      JsonType<V> element,
      Function<T, ? extends Collection<V>> values,
      String explanation) {
    return field(name, Json.list(element), values::apply, explanation);
  }

  /**
   * The payload of a message: as it is if it is JSON; else null, and its base64 or the reason why
   * it could not be decrypted under a name of its own.
   */
  public JsonObject<T> payload(String name, Function<T, Message> value, String explanation) {
    fields.add(always(name, Schema.ANY, explanation));
    fields.add(
        Schema.optional(
            name + "Base64", Schema.TEXT, "The payload if it is not JSON; " + name + " is null."));
    fields.add(
        Schema.optional(name + "Problem", Schema.TEXT, "Why the payload could not be decrypted."));
    writers.add((out, from) -> out.putPayload(name, value.apply(from)));
    return this;
  }

  /** A payload: as it is if it is JSON; else null, and its base64 under a name of its own. */
  public JsonObject<T> bytes(
      String name, Function<T, byte @Nullable []> value, String explanation) {
    fields.add(always(name, Schema.ANY, explanation));
    fields.add(
        Schema.optional(
            name + "Base64", Schema.TEXT, "The same if it is not JSON; " + name + " is null."));
    writers.add(
        (out, from) -> {
          byte[] bytes = value.apply(from);
          if (bytes == null) {
            out.putNull(name);
          } else {
            out.putPayload(name, bytes);
          }
        });
    return this;
  }

  /** The fields of another object, in this one. */
  public <V> JsonObject<T> include(JsonObject<V> other, Function<T, V> value) {
    fields.addAll(other.fields);
    List<JsonType.Writer<V>> included = List.copyOf(other.writers);
    writers.add(
        (out, from) -> {
          V part = value.apply(from);
          included.forEach(writer -> writer.write(out, part));
        });
    return this;
  }

  /** The fields of another object, in this one; left out if it is null. */
  public <V> JsonObject<T> includeOptional(JsonObject<V> other, Function<T, @Nullable V> value) {
    for (Schema.Field field : other.fields) {
      Schema.Field optional = Schema.optional(field.name(), field.schema(), field.explanation());
      int known = names().indexOf(field.name());
      if (known < 0) {
        fields.add(optional);
      } else {
        // One of two objects is written, and both have a field of this name.
        fields.set(known, optional);
      }
    }
    List<JsonType.Writer<V>> included = List.copyOf(other.writers);
    writers.add(
        (out, from) -> {
          V part = value.apply(from);
          if (part != null) {
            included.forEach(writer -> writer.write(out, part));
          }
        });
    return this;
  }

  private List<String> names() {
    return fields.stream().map(Schema.Field::name).toList();
  }

  /** The object as declared so far. */
  public JsonType<T> type() {
    if (Set.copyOf(names()).size() < fields.size()) {
      throw new IllegalStateException("a field is declared twice: " + names());
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    JsonType.Writer<T>[] all = writers.toArray(new JsonType.Writer[0]);
    return JsonType.written(
        new Schema.Fields(List.copyOf(fields)),
        (out, from) -> {
          out.beginObject();
          for (JsonType.Writer<T> writer : all) {
            writer.write(out, from);
          }
          out.endObject();
        });
  }
}
