package io.holdfast.bench;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measured value.
 *
 * @param bench what was measured, the same name in every run
 * @param rate the value, in its unit
 * @param ratio the value as a share of what it is compared with; null if with nothing
 * @param durability what an answer promised during the measurement; null if nothing was promised
 * @param note what one must know to read the value; null for nothing
 * @param more further values of the same measurement, by name
 */
public record Figure(
    String bench,
    double rate,
    String unit,
    @Nullable Double ratio,
    @Nullable String durability,
    @Nullable String note,
    Map<String, Double> more) {
  public static Figure of(String bench, double rate, String unit) {
    return new Figure(bench, rate, unit, null, null, null, Map.of());
  }

  public Figure ratio(double share) {
    return new Figure(bench, rate, unit, share, durability, note, more);
  }

  public Figure durability(String promise) {
    return new Figure(bench, rate, unit, ratio, promise, note, more);
  }

  public Figure note(String text) {
    return new Figure(bench, rate, unit, ratio, durability, text, more);
  }

  /** Adds a further value. */
  public Figure with(String name, double value) {
    Map<String, Double> all = new LinkedHashMap<>(more);
    all.put(name, value);
    return new Figure(bench, rate, unit, ratio, durability, note, all);
  }

  /** The figure as one line of JSON; what is null is left out, except the ratio. */
  String json() {
    StringBuilder line = new StringBuilder(160).append('{');
    line.append("\"bench\":").append(quoted(bench));
    line.append(",\"rate\":").append(String.format(Locale.ROOT, "%.3f", rate));
    line.append(",\"unit\":").append(quoted(unit));
    line.append(",\"ratio\":")
        .append(ratio == null ? "null" : String.format(Locale.ROOT, "%.4f", ratio));
    more.forEach(
        (name, value) ->
            line.append(',')
                .append(quoted(name))
                .append(':')
                .append(String.format(Locale.ROOT, "%.3f", value)));
    if (durability != null) {
      line.append(",\"durability\":").append(quoted(durability));
    }
    if (note != null) {
      line.append(",\"note\":").append(quoted(note));
    }
    return line.append('}').toString();
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
