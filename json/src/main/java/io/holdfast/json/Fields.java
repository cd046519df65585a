package io.holdfast.json;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The declared fields of an object, or parameters of a query, in their order. */
public final class Fields {
  /** Those of nothing. */
  public static final Fields NONE = new Fields(List.of(), true);

  private final Field<?>[] fields;
  private final Map<String, Integer> indexes = new HashMap<>();

  /** Whether a required field must be there. */
  private final boolean checked;

  private Fields(List<Field<?>> fields, boolean checked) {
    this.checked = checked;
    this.fields = fields.toArray(new Field<?>[0]);
    for (int i = 0; i < this.fields.length; i++) {
      if (indexes.put(this.fields[i].name(), i) != null) {
        throw new IllegalArgumentException("two fields are named " + this.fields[i].name());
      }
    }
  }

  public static Fields of(Field<?>... fields) {
    return new Fields(List.of(fields), true);
  }

  /** These, and more behind them. */
  public Fields and(Field<?>... more) {
    return new Fields(Stream.concat(Arrays.stream(fields), Stream.of(more)).toList(), checked);
  }

  /** One, and these behind it. */
  public Fields after(Field<?> first) {
    return new Fields(Stream.concat(Stream.of(first), Arrays.stream(fields)).toList(), checked);
  }

  /** The same, none of them required; see {@link Values#require}. */
  public Fields allOptional() {
    return new Fields(list(), false);
  }

  public List<Field<?>> list() {
    return List.of(fields);
  }

  public int size() {
    return fields.length;
  }

  public List<String> names() {
    return Arrays.stream(fields).map(Field::name).toList();
  }

  public boolean has(String name) {
    return indexes.containsKey(name);
  }

  Field<?> get(int index) {
    return fields[index];
  }

  /** The index of a field by its name; negative if there is none. */
  int indexOf(String name) {
    return indexes.getOrDefault(name, -1);
  }

  /**
   * The index of a field that is declared here: the very object, since names may repeat elsewhere.
   */
  @SuppressWarnings("ReferenceEquality")
  int indexOf(Field<?> field) {
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] == field) {
        return i;
      }
    }
    throw new IllegalArgumentException("a field that is not declared here: " + field.name());
  }

  Schema schema() {
    return new Schema.Fields(
        Arrays.stream(fields)
            .map(Field::schema)
            .map(
                one -> checked ? one : Schema.optional(one.name(), one.schema(), one.explanation()))
            .toList());
  }

  /** Reads the object that a reader stands on. */
  Values read(JsonIn in) {
    Values values = new Values(this);
    in.beginObject();
    for (String name = in.nextField(); name != null; name = in.nextField()) {
      int index = indexOf(name);
      if (index >= 0) {
        values.read(index, in);
      } else if (in.ignores(names())) {
        in.skip();
      } else {
        throw in.unknown(names());
      }
    }
    if (checked) {
      values.check(this, in.place());
    }
    return values;
  }
}
