package io.holdfast.cli.output;

import io.holdfast.cli.terminal.TextTable;
import java.util.Locale;

/** Names of constants, and counts. */
public final class Labels {
  private Labels() {}

  /** As text: {@code in flight}. */
  public static String of(Enum<?> constant) {
    return json(constant).replace('_', ' ');
  }

  /** As in JSON: {@code in_flight}. */
  public static String json(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** A count of things: {@code 1 message}, {@code 1,200 messages}. */
  public static String count(long number, String thing) {
    return TextTable.grouped(number) + " " + (number == 1 ? thing : thing + "s");
  }
}
