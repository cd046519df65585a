package io.holdfast.workflow;

import io.holdfast.api.InvalidArgumentException;

/** The checks of names that programs give. */
public final class Names {
  /** Longest id of a flow: it is part of keys, and the ids of sub-flows begin with it. */
  public static final int ID_CHARS_MAX = 200;

  private static final int NAME_CHARS_MAX = 100;

  private Names() {}

  /** The name of a flow, an activity, an event or a step, if it is one. */
  public static String checked(String field, String name) {
    return checked(field, name, NAME_CHARS_MAX);
  }

  /** The id of a flow, if it is one. */
  public static String checkedId(String id) {
    return checked("id", id, ID_CHARS_MAX);
  }

  private static String checked(String field, String name, int charsMax) {
    if (name.isEmpty() || name.length() > charsMax) {
      throw new InvalidArgumentException(
          field + ": expected 1 to " + charsMax + " characters, but got " + name.length());
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidArgumentException(field + ": expected no control characters");
    }
    return name;
  }
}
