package io.holdfast.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A tar archive of files that all belong to root, sorted by name and all of one time: the same
 * files give the same bytes.
 */
final class Tar {
  private static final int BLOCK = 512;
  private static final int NAME_BYTES = 100;
  private static final int PREFIX_AT = 345;
  private static final int PREFIX_BYTES = 155;
  private static final int CHECKSUM_AT = 148;
  private static final int CHECKSUM_BYTES = 8;

  /** What a file holds, and whether it is a program. */
  private record Entry(byte[] bytes, boolean program) {}

  private final Instant time;
  private final NavigableMap<String, Entry> entries = new TreeMap<>();

  Tar(Instant time) {
    this.time = time;
  }

  void add(String name, byte[] bytes) {
    add(name, bytes, false);
  }

  void add(String name, byte[] bytes, boolean program) {
    int slash = name.lastIndexOf('/');
    for (int end = slash; end > 0; end = name.lastIndexOf('/', end - 1)) {
      entries.putIfAbsent(name.substring(0, end + 1), new Entry(new byte[0], true));
    }
    if (entries.put(name, new Entry(bytes, program)) != null) {
      throw new IllegalArgumentException("twice in the archive: " + name);
    }
  }

  void add(String name, Path file) throws IOException {
    add(name, Files.readAllBytes(file));
  }

  void write(OutputStream out) throws IOException {
    for (Map.Entry<String, Entry> each : entries.entrySet()) {
      byte[] bytes = each.getValue().bytes();
      out.write(header(each.getKey(), each.getValue()));
      out.write(bytes);
      out.write(new byte[(BLOCK - bytes.length % BLOCK) % BLOCK]);
    }
    out.write(new byte[2 * BLOCK]);
  }

  private byte[] header(String name, Entry entry) {
    byte[] header = new byte[BLOCK];
    name(header, name);
    octal(header, 100, 8, entry.program() ? 0755 : 0644);
    octal(header, 108, 8, 0);
    octal(header, 116, 8, 0);
    octal(header, 124, 12, entry.bytes().length);
    octal(header, 136, 12, time.getEpochSecond());
    header[156] = (byte) (name.endsWith("/") ? '5' : '0');
    text(header, 257, "ustar\00000");
    text(header, 265, "root");
    text(header, 297, "root");
    checksum(header);
    return header;
  }

  /** A long name is cut in two at a slash. */
  private static void name(byte[] header, String name) {
    byte[] bytes = name.getBytes(UTF_8);
    if (bytes.length <= NAME_BYTES) {
      text(header, 0, name);
      return;
    }
    int cut = name.indexOf('/', bytes.length - NAME_BYTES - 1);
    if (cut < 0 || cut > PREFIX_BYTES || bytes.length != name.length()) {
      throw new IllegalArgumentException("too long a name for an archive: " + name);
    }
    text(header, 0, name.substring(cut + 1));
    text(header, PREFIX_AT, name.substring(0, cut));
  }

  private static void checksum(byte[] header) {
    for (int i = 0; i < CHECKSUM_BYTES; i++) {
      header[CHECKSUM_AT + i] = ' ';
    }
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    text(header, CHECKSUM_AT, String.format(Locale.ROOT, "%06o\0 ", sum));
  }

  private static void octal(byte[] header, int at, int width, long value) {
    text(header, at, String.format(Locale.ROOT, "%0" + (width - 1) + "o", value));
  }

  private static void text(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
