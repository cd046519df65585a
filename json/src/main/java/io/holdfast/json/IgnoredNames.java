package io.holdfast.json;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The parameters and fields of one request that a tolerant route ignores.
 *
 * <p>Invariant: none of them is one edit away from a name that the route has, because that is
 * probably a typing error, and to ignore it would change what is done.
 *
 * <p>Thread: one at a time.
 */
public final class IgnoredNames {
  /** Most names of one request; each may cost another reading of its body. */
  private static final int NAMES_MAX = 20;

  private static final int SHOWN_CHARS_MAX = 60;
  private static final Pattern UNPRINTABLE = Pattern.compile("[^A-Za-z0-9._\\[\\]-]");

  private final Set<String> names = new LinkedHashSet<>(0);

  /**
   * Takes the name of something unknown.
   *
   * @param path the name; of a field with the names around it before it
   * @param known the names there are at that place
   * @return false if it has to be refused
   */
  public boolean take(String path, List<String> known) {
    String name = path.substring(path.lastIndexOf('.') + 1);
    if (names.size() >= NAMES_MAX || known.stream().anyMatch(other -> isNear(name, other))) {
      return false;
    }
    add(path);
    return true;
  }

  /** Adds a known name whose value has no effect. */
  public void add(String name) {
    names.add(name);
  }

  boolean contains(String path) {
    return names.contains(path);
  }

  public boolean isEmpty() {
    return names.isEmpty();
  }

  public int size() {
    return names.size();
  }

  /** The names as a header and a log may contain them. */
  public List<String> shown() {
    List<String> shown = new ArrayList<>(names.size());
    for (String name : names) {
      String printable = UNPRINTABLE.matcher(name).replaceAll("?");
      shown.add(printable.substring(0, Math.min(SHOWN_CHARS_MAX, printable.length())));
    }
    return shown;
  }

  @Override
  public String toString() {
    return String.join(", ", shown());
  }

  /**
   * Whether two names differ by at most one edit: a character more, fewer or other, or two
   * neighbours swapped. Upper and lower case are the same.
   */
  static boolean isNear(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    int same = 0;
    while (same < Math.min(a.length(), b.length()) && a.charAt(same) == b.charAt(same)) {
      same++;
    }
    String restA = a.substring(same);
    String restB = b.substring(same);
    return restA.equals(restB)
        || isTail(restA, 1, restB, 1)
        || isTail(restA, 1, restB, 0)
        || isTail(restA, 0, restB, 1)
        || isSwapped(restA, restB);
  }

  /** Whether two texts are equal without so many characters at their beginnings. */
  private static boolean isTail(String a, int fromA, String b, int fromB) {
    return a.length() >= fromA
        && b.length() >= fromB
        && a.substring(fromA).equals(b.substring(fromB));
  }

  private static boolean isSwapped(String a, String b) {
    return isTail(a, 2, b, 2) && a.charAt(0) == b.charAt(1) && a.charAt(1) == b.charAt(0);
  }
}
