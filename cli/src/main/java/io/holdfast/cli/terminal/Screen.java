package io.holdfast.cli.terminal;

import java.util.List;

/** Frames that overwrite each other on a screen without flicker. */
public final class Screen {
  /** Switches to the alternate screen and hides the cursor. */
  public static final String OPEN = "\u001b[?1049h\u001b[?25l\u001b[2J";

  /** Switches back to the main screen. */
  public static final String CLOSE = "\u001b[?25h\u001b[?1049l";

  private static final String HOME = "\u001b[H";
  private static final String END_OF_LINE = "\u001b[K\r\n";
  private static final String REST = "\u001b[J";

  private Screen() {}

  /** A frame with a last line; rows that do not fit are left out. */
  public static String frame(String text, String last, int rows) {
    List<String> lines = text.lines().toList();
    int room = Math.max(1, rows - 2);
    StringBuilder frame = new StringBuilder(HOME);
    lines.stream().limit(room).forEach(line -> frame.append(line).append(END_OF_LINE));
    int left = lines.size() - room;
    return frame
        .append(left > 0 ? "… " + left + " more rows; " : "")
        .append(last)
        .append("\u001b[K")
        .append(REST)
        .toString();
  }
}
