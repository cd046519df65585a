package io.holdfast.json;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times on the wire: ISO 8601 in UTC, with milliseconds. */
public final class Times {
  private static final long DAY_MS = 24L * 3600 * 1000;

  /** From 1973 to 5138: fewer digits might be seconds, or a date. */
  private static final Pattern EPOCH_MS = Pattern.compile("[0-9]{12,14}");

  private Times() {}

  /** {@code 2026-11-15T18:26:18.960Z}. */
  public static String text(long epochMs) {
    char[] out = new char[24];
    LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(epochMs, DAY_MS));
    if (day.getYear() < 0 || day.getYear() > 9999) {
      return Instant.ofEpochMilli(epochMs).toString();
    }
    int rest = (int) Math.floorMod(epochMs, DAY_MS);
    digits(out, 0, 4, day.getYear());
    out[4] = '-';
    digits(out, 5, 2, day.getMonthValue());
    out[7] = '-';
    digits(out, 8, 2, day.getDayOfMonth());
    out[10] = 'T';
    digits(out, 11, 2, rest / 3_600_000);
    out[13] = ':';
    digits(out, 14, 2, rest / 60_000 % 60);
    out[16] = ':';
    digits(out, 17, 2, rest / 1_000 % 60);
    out[19] = '.';
    digits(out, 20, 3, rest % 1_000);
    out[23] = 'Z';
    return new String(out);
  }

  private static void digits(char[] out, int at, int count, int value) {
    int left = value;
    for (int i = at + count - 1; i >= at; i--) {
      out[i] = (char) ('0' + left % 10);
      left /= 10;
    }
  }

  /**
   * Epoch milliseconds of a date, a time with an offset, a time in UTC, or of themselves; null if
   * it is none of these.
   */
  public static @Nullable Long parse(String text) {
    try {
      if (EPOCH_MS.matcher(text).matches()) {
        return Long.parseLong(text);
      }
      if (text.length() == 10) {
        return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
      }
      return OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeParseException noTime) {
      return null;
    } catch (ArithmeticException tooFar) {
      return null;
    }
  }
}
