package io.holdfast.cli.terminal;

/** Styles of text, for terminals with colors. */
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

  /** A text in this style, which is escaped when it is printed. */
  public Styled of(Object text) {
    return new Styled(this, text);
  }

  /** An escaped text in this style. */
  String paint(String safe, boolean colours) {
    return !colours || this == PLAIN || safe.isEmpty() ? safe : BEGIN + code + "m" + safe + END;
  }
}
