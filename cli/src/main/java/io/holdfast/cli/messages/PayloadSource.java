package io.holdfast.cli.messages;

import io.holdfast.cli.terminal.Terminal;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads payloads from an argument, a file or the standard input: one, or one per line. */
final class PayloadSource implements Closeable {
  /** More than any broker accepts; bounds the memory used for a wrong file. */
  private static final int PAYLOAD_BYTES_MAX = 64 << 20;

  /** A payload and its origin, for errors. */
  record Found(byte[] bytes, String where) {}

  private final InputStream in;
  private final boolean lines;
  private final String where;
  private long line;
  private boolean over;

  private PayloadSource(InputStream in, boolean lines, String where) {
    this.in = in;
    this.lines = lines;
    this.where = where;
  }

  /**
   * Opens the source that an argument names.
   *
   * @throws IllegalArgumentException if there is none
   */
  static PayloadSource open(@Nullable String argument, boolean lines, Terminal terminal)
      throws IOException {
    if (argument == null || argument.equals("-")) {
      if (argument == null && terminal.isKeyboard()) {
        throw new IllegalArgumentException(
            "<payload>: expected JSON, @file, or - for the standard input, but there is none");
      }
      return new PayloadSource(new BufferedInputStream(terminal.in()), lines, "standard input");
    }
    if (argument.startsWith("@")) {
      Path file = Path.of(argument.substring(1));
      try {
        return new PayloadSource(
            new BufferedInputStream(Files.newInputStream(file)), lines, file.toString());
      } catch (NoSuchFileException missing) {
        throw new IllegalArgumentException("<payload>: no such file: " + file, missing);
      }
    }
    return new PayloadSource(
        new ByteArrayInputStream(argument.getBytes(StandardCharsets.UTF_8)), lines, "<payload>");
  }

  /** Returns null at the end. */
  @Nullable Found next() throws IOException {
    if (lines) {
      return nextLine();
    }
    if (over) {
      return null;
    }
    over = true;
    byte[] all = in.readNBytes(PAYLOAD_BYTES_MAX + 1);
    if (all.length > PAYLOAD_BYTES_MAX) {
      throw tooLong(where);
    }
    return new Found(all, where);
  }

  private @Nullable Found nextLine() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int c;
    do {
      bytes.reset();
      line++;
      for (c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
        bytes.write(c);
        if (bytes.size() > PAYLOAD_BYTES_MAX) {
          throw tooLong(where + ", line " + line);
        }
      }
    } while (c >= 0 && bytes.toString(StandardCharsets.ISO_8859_1).isBlank());
    byte[] found = bytes.toByteArray();
    if (c < 0 && bytes.toString(StandardCharsets.ISO_8859_1).isBlank()) {
      return null;
    }
    int length = found.length;
    if (length > 0 && found[length - 1] == '\r') {
      found = Arrays.copyOf(found, length - 1);
    }
    return new Found(found, where + ", line " + line);
  }

  private static IllegalArgumentException tooLong(String where) {
    return new IllegalArgumentException(
        where + ": expected at most " + PAYLOAD_BYTES_MAX + " bytes, but there are more");
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
