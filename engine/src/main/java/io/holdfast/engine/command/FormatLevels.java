package io.holdfast.engine.command;

/**
 * The format levels that a version of Holdfast knows. A level stands for the form of entries and
 * commands, and for the rules that apply them.
 *
 * <p>A level is used only when every node knows it: the state contains the level in use, and {@link
 * Command.RaiseFormat} raises it. A rule that changes asks the state for its level, and keeps doing
 * what it did on lower ones.
 *
 * @param oldest the lowest level that can be read and applied
 * @param newest the level of a new store
 */
public record FormatLevels(int oldest, int newest) {
  /** Those of this version. */
  public static final FormatLevels KNOWN = new FormatLevels(1, 1);

  public boolean contains(int level) {
    return level >= oldest && level <= newest;
  }

  /**
   * Makes sure that a level is known.
   *
   * @param what has the level, as the subject of a sentence
   * @throws UnknownFormatException if it is not
   */
  public void check(String what, int level) {
    if (!contains(level)) {
      throw new UnknownFormatException(explain(what, level));
    }
  }

  /** Why something with an unknown level cannot be read, and what to do. */
  public String explain(String what, int level) {
    return what
        + " has format level "
        + level
        + ", and this version of Holdfast knows the levels "
        + oldest
        + " to "
        + newest
        + ". Run "
        + (level > newest ? "the newer version that wrote it." : "an older version that knows it.");
  }
}
