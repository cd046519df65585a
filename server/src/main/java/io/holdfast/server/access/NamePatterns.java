package io.holdfast.server.access;

import io.holdfast.api.InvalidArgumentException;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of queues, journals and records that a token is for: {@code orders.*} is all that begin so,
 * {@code *} is all there are. Only the asterisk is special; case counts.
 *
 * <p>Matching never goes back in the name: it costs at most the length of the name times that of
 * the pattern, whatever they are.
 */
public final class NamePatterns {
  /** Most patterns of one token. */
  public static final int PATTERNS_MAX = 64;

  /** Longest pattern, in characters: as long as a name may be. */
  public static final int PATTERN_CHARS_MAX = 255;

  public static final NamePatterns ALL = new NamePatterns(List.of("*"));

  private final List<String> texts;
  private final List<String[]> pieces = new ArrayList<>();
  private final boolean all;

  private NamePatterns(List<String> texts) {
    this.texts = List.copyOf(texts);
    for (String text : texts) {
      pieces.add(text.split("\\*", -1));
    }
    this.all = texts.stream().anyMatch(text -> text.chars().allMatch(c -> c == '*'));
  }

  /**
   * The names that match one of some patterns.
   *
   * @throws InvalidArgumentException naming what is wrong with them
   */
  public static NamePatterns of(List<String> patterns) {
    if (patterns.isEmpty() || patterns.size() > PATTERNS_MAX) {
      throw new InvalidArgumentException(
          "queues: expected 1 to " + PATTERNS_MAX + " patterns, but got " + patterns.size());
    }
    for (String pattern : patterns) {
      if (pattern.isEmpty() || pattern.length() > PATTERN_CHARS_MAX) {
        throw new InvalidArgumentException(
            "queues: expected patterns of 1 to "
                + PATTERN_CHARS_MAX
                + " characters, but one has "
                + pattern.length());
      }
      if (pattern.chars().anyMatch(Character::isISOControl)) {
        throw new InvalidArgumentException(
            "queues: expected no control characters in a pattern, but there is one");
      }
    }
    return new NamePatterns(patterns);
  }

  /** Whether every name matches. */
  public boolean isAll() {
    return all;
  }

  public boolean matches(String name) {
    if (all) {
      return true;
    }
    for (String[] one : pieces) {
      if (matches(one, name)) {
        return true;
      }
    }
    return false;
  }

  /** The pieces between the asterisks have to come one after the other: each as early as it can. */
  private static boolean matches(String[] pieces, String name) {
    String first = pieces[0];
    if (pieces.length == 1) {
      return name.equals(first);
    }
    String last = pieces[pieces.length - 1];
    if (name.length() < first.length() + last.length()
        || !name.startsWith(first)
        || !name.endsWith(last)) {
      return false;
    }
    int at = first.length();
    int end = name.length() - last.length();
    for (int i = 1; i < pieces.length - 1; i++) {
      int found = name.indexOf(pieces[i], at, end);
      if (found < 0) {
        return false;
      }
      at = found + pieces[i].length();
    }
    return true;
  }

  /** What all names that match begin with. */
  public String commonPrefix() {
    String common = pieces.getFirst()[0];
    for (String[] one : pieces) {
      int same = 0;
      while (same < Math.min(common.length(), one[0].length())
          && common.charAt(same) == one[0].charAt(same)) {
        same++;
      }
      common = common.substring(0, same);
    }
    return common;
  }

  /** The patterns as they were given. */
  public List<String> texts() {
    return texts;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamePatterns patterns && patterns.texts.equals(texts);
  }

  @Override
  public int hashCode() {
    return texts.hashCode();
  }

  @Override
  public String toString() {
    return String.join(", ", texts);
  }
}
