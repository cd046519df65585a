package io.holdfast.server.access;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.server.http.Access;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a token is for: a set of accesses under a name. */
public enum Role {
  /** Everything. */
  ADMIN,
  /** All that producers and consumers do. */
  READ_WRITE,
  /** To look, and to change nothing. */
  READ_ONLY,
  /** To push, and to see nothing. */
  WRITE_ONLY;

  /** Whether it opens what needs an access. */
  public boolean has(Access access) {
    return switch (access) {
      case PUBLIC, KNOWN -> true;
      case READ -> this != WRITE_ONLY;
      case PUSH, CHANGE -> this != READ_ONLY;
      case CONSUME -> this == ADMIN || this == READ_WRITE;
      case ADMIN -> this == ADMIN;
    };
  }

  /** The name as people write it: {@code read-write}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The words of the roles that have an access. */
  public static List<String> wordsWith(Access access) {
    return Arrays.stream(values()).filter(role -> role.has(access)).map(Role::word).toList();
  }

  /** All words, as a sentence has them. */
  public static String words() {
    return Arrays.stream(values()).map(Role::word).collect(Collectors.joining(", "));
  }

  /**
   * The role of a word.
   *
   * @throws InvalidArgumentException if there is none
   */
  public static Role of(String word) {
    return Arrays.stream(values())
        .filter(role -> role.word().equals(word))
        .findAny()
        .orElseThrow(
            () ->
                new InvalidArgumentException(
                    "role: expected one of " + words() + ", but got another word"));
  }
}
