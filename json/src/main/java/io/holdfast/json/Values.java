package io.holdfast.json;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values of declared fields, read from an object or a query. */
public final class Values {
  /** The value of an optional field that was given as null. */
  private enum Null {
    GIVEN
  }

  private final Map<String, String> texts = new LinkedHashMap<>(0);
  private final Fields declared;
  private final @Nullable Object[] values;

  Values(Fields declared) {
    this.declared = declared;
    this.values = new @Nullable Object[declared.size()];
  }

  /**
   * Reads values from texts.
   *
   * @param fields those that there may be
   * @param names the names of parameters
   * @param texts their values; an empty one counts as absent, except of a flag
   * @throws JsonException if one is not as declared
   */
  public static Values ofTexts(Fields fields, List<String> names, List<String> texts) {
    Values values = new Values(fields);
    for (int i = 0; i < names.size(); i++) {
      int index = fields.indexOf(names.get(i));
      values.texts.put(names.get(i), texts.get(i));
      if (!texts.get(i).isEmpty() || fields.get(index).type() == Json.FLAG) {
        values.values[index] = parse(fields.get(index), texts.get(i));
      }
    }
    values.check(fields, "");
    return values;
  }

  private static Object parse(Field<?> field, String text) {
    Object value = field.type().parse(text);
    if (value == null) {
      String shown = text.length() <= 40 ? "\"" + text + "\"" : text.length() + " characters";
      throw JsonException.field(
          field.name(), "expected " + field.type().expected() + ", but got " + shown);
    }
    return value;
  }

  void read(int index, JsonIn in) {
    Field<?> field = declared.get(index);
    boolean absent =
        in.isNull()
            && !(field.required() && field.missing().isEmpty())
            && (field.instead() == null || !Schema.ANY.equals(field.type().schema()))
            && !(field.type().schema() instanceof Schema.OrNull);
    values[index] = absent ? Null.GIVEN : field.type().read(in);
  }

  /** Checks fields that were declared as optional here, as if they were not. */
  public void require(Fields fields) {
    check(fields, "");
  }

  /** Checks that required fields are there, and none of two that exclude each other. */
  void check(Fields fields, String place) {
    for (Field<?> field : fields.list()) {
      Field<?> other = field.instead();
      boolean given = has(field);
      if (other != null && given && has(other)) {
        throw JsonException.field(
            JsonException.in(place, other.name()),
            "expected this or " + field.name() + ", but got both");
      }
      if (!given
          && (field.required() || (other != null && field.byDefault() == null))
          && (other == null || !has(other))) {
        throw field.absent(place);
      }
    }
  }

  /** Whether no field was given. */
  public boolean isEmpty() {
    return Arrays.stream(values).allMatch(Objects::isNull);
  }

  /** The parameters as they were given; empty if the values were read from an object. */
  @Override
  public String toString() {
    return texts.toString();
  }

  /** The value of a field that is required or has a default. */
  public <T> T get(Field<T> field) {
    T value = find(field);
    if (value == null) {
      throw new IllegalStateException(field.name() + " is absent and has no default");
    }
    return value;
  }

  /** The value of a field, or its default; null if it is absent and has none. */
  @SuppressWarnings("unchecked")
  public <T> @Nullable T find(Field<T> field) {
    Object value = values[declared.indexOf(field)];
    return value == null || value instanceof Null ? field.byDefault() : (T) value;
  }

  /** Whether a field of this name was given. */
  public boolean has(String name) {
    return has(declared.get(declared.indexOf(name)));
  }

  /** Whether a field was given. */
  public boolean has(Field<?> field) {
    Object value = values[declared.indexOf(field)];
    return value != null && !(value instanceof Null);
  }

  /** Whether a field was given, or given as null. */
  public boolean names(Field<?> field) {
    return values[declared.indexOf(field)] != null;
  }
}
