package io.holdfast.cli.terminal;

/** How a text is to look where there are colours. */
public enum Style {
  PLAIN(""),
  BOLD("1"),
  DIM("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33"),
  CYAN("36"),
  REVERSED("7");

  private static final String BEGIN = "\u001b[";
  private static final String END = "\u001b[0m";

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** A text that looks so: what is in it is escaped when it is shown. */
  public Styled of(Object text) {
    return new Styled(this, text);
  }

  /** A text that was made safe, in this style. */
  String paint(String safe, boolean colours) {
    return !colours || this == PLAIN || safe.isEmpty() ? safe : BEGIN + code + "m" + safe + END;
  }
}
