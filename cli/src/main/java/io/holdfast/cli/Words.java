package io.holdfast.cli;

import io.holdfast.cli.terminal.TextTable;
import java.util.Locale;

/** Constants as words. */
final class Words {
  private Words() {}

  /** For people: {@code in flight}. */
  static String of(Enum<?> constant) {
    return json(constant).replace('_', ' ');
  }

  /** For programs: {@code in_flight}. */
  static String json(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** A count of things: {@code 1 message}, {@code 1,200 messages}. */
  static String count(long number, String thing) {
    return TextTable.grouped(number) + " " + (number == 1 ? thing : thing + "s");
  }
}
