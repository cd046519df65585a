package io.holdfast.client.acks;

import io.holdfast.api.Limits;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.message.Position;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text face of a handle: what an ack names.
 *
 * <p>It is written {@code partition.lane.seq@lease}, for example {@code 3.0.1041@Zk1u0x8Rk2Q}:
 * three decimal numbers without leading zeros, then the lease id. In the lease id everything but
 * letters, digits, {@code -}, {@code _}, {@code .} and {@code ~} is percent-encoded as UTF-8, so
 * that a bookmark never holds a comma and many of them can be joined by commas.
 *
 * <p>Invariant: a handle has exactly one text, and only that text is read back.
 */
public record Bookmark(String leaseId, Position position) {
  /** How a bookmark looks, for error texts. */
  private static final String FORM = "partition.lane.seq@lease, as in 3.0.1041@Zk1u0x8Rk2Q";

  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,19})\\.(\\d{1,10})\\.(\\d{1,19})@([A-Za-z0-9_.~%-]+)");

  /** An error quotes at most this much of what came. */
  private static final int QUOTE_CHARS_MAX = 60;

  private static final String PLAIN = "-_.~";
  private static final int HEX = 16;
  private static final int ESCAPE_CHARS = 3;

  public Bookmark {
    handle(leaseId, position);
  }

  /** Reads one bookmark; an error says what was expected. */
  public static Bookmark parse(String text) {
    Matcher match = TEXT.matcher(text);
    if (!match.matches()) {
      throw unreadable(text);
    }
    Bookmark read;
    try {
      Position position =
          new Position(
              Long.parseLong(match.group(1)),
              Integer.parseInt(match.group(2)),
              Long.parseLong(match.group(3)));
      read = new Bookmark(decoded(match.group(4)), position);
    } catch (IllegalArgumentException wrong) {
      throw unreadable(text);
    }
    if (!read.text().equals(text)) {
      throw unreadable(text);
    }
    return read;
  }

  /** Reads bookmarks that are joined by commas, as many as one request may carry. */
  public static List<Bookmark> parseAll(String text) {
    List<Bookmark> read = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      if (read.size() == Limits.OPERATIONS_MAX) {
        throw new IllegalArgumentException(
            "bookmark: expected at most " + Limits.OPERATIONS_MAX + " in one ack, but got more");
      }
      read.add(parse(one));
    }
    return read;
  }

  /** Joins bookmarks by commas: what one ack carries. */
  public static String join(List<Bookmark> bookmarks) {
    return bookmarks.stream().map(Bookmark::text).collect(Collectors.joining(","));
  }

  public static Bookmark of(Handle handle) {
    return new Bookmark(handle.leaseId(), handle.position());
  }

  public Handle handle() {
    return handle(leaseId, position);
  }

  Settle ack() {
    return Settle.ack(handle());
  }

  public String text() {
    return position.partition()
        + "."
        + position.lane()
        + "."
        + position.seq()
        + "@"
        + encoded(leaseId);
  }

  @Override
  public String toString() {
    return text();
  }

  /** The handle checks its parts. */
  private static Handle handle(String leaseId, Position position) {
    return new Handle(leaseId, position);
  }

  private static IllegalArgumentException unreadable(String text) {
    String quote =
        text.length() <= QUOTE_CHARS_MAX ? text : text.substring(0, QUOTE_CHARS_MAX) + "...";
    return new IllegalArgumentException(
        "bookmark: expected " + FORM + ", but got \"" + quote + "\"");
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || PLAIN.indexOf(c) >= 0;
  }

  private static String encoded(String lease) {
    if (lease.chars().allMatch(c -> isPlain((char) c))) {
      return lease;
    }
    StringBuilder text = new StringBuilder();
    for (byte b : lease.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (isPlain(c)) {
        text.append(c);
      } else {
        text.append('%')
            .append(Character.toUpperCase(Character.forDigit(c / HEX, HEX)))
            .append(Character.toUpperCase(Character.forDigit(c % HEX, HEX)));
      }
    }
    return text.toString();
  }

  /** Undoes the encoding; whatever it makes of wrong text is not written as that text again. */
  private static String decoded(String text) {
    byte[] bytes = new byte[text.length()];
    int count = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) != '%') {
        bytes[count++] = (byte) text.charAt(i);
      } else {
        if (i + ESCAPE_CHARS > text.length()) {
          throw new IllegalArgumentException("an escape is cut off");
        }
        bytes[count++] = (byte) Integer.parseInt(text.substring(i + 1, i + ESCAPE_CHARS), HEX);
        i += ESCAPE_CHARS - 1;
      }
    }
    return new String(bytes, 0, count, StandardCharsets.UTF_8);
  }
}
