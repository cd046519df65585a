package io.holdfast.server.http;

import org.jspecify.annotations.Nullable;

/**
 * Where requests begin and end in the bytes of a connection, read more strictly than the web server
 * reads them.
 *
 * <p>What two readers of the same bytes could take for different requests is refused, and the
 * connection ends with it: a line that does not end with CR and LF, a folded header, two lengths, a
 * length beside chunks, extensions and trailers of chunks, and the like. So nobody can hide a
 * request in another one.
 *
 * <p>Invariant: a head is let through only as a whole, so whoever reads behind this never waits
 * within one.
 *
 * <p>Thread: the one that reads the connection.
 */
final class Framing {
  private static final int CHUNK_DIGITS_MAX = 8;

  private enum Phase {
    HEAD,
    BODY,
    CHUNK_SIZE,
    CHUNK_SIZE_LF,
    CHUNK_DATA,
    CHUNK_DATA_CR,
    CHUNK_DATA_LF,
    LAST_CR,
    LAST_LF
  }

  private final RequestBounds bounds;
  private final Head head;
  private Phase phase = Phase.HEAD;

  /** Bytes of the body or chunk that are still to come; while its size is read, that size. */
  private long left;

  private int digits;

  // Where the head that is being read was left, from its first byte on.
  private int scanned;
  private int lineFrom;
  private int lines;

  private @Nullable Problem refusal;

  Framing(RequestBounds bounds) {
    this.bounds = bounds;
    this.head = new Head(bounds.headersMax());
  }

  /** Whether a request is over, or not more of it has come than a part of its head. */
  boolean isInHead() {
    return phase == Phase.HEAD;
  }

  /**
   * Takes bytes that follow those that were let through before.
   *
   * @return how many of them are let through; those behind are to be shown again, with more
   * @throws Problem if they begin with something that is refused
   */
  int take(byte[] bytes, int length) {
    int at = 0;
    try {
      while (at < length && refusal == null) {
        int next = step(bytes, at, length);
        if (next == at) {
          return at;
        }
        at = next;
      }
    } catch (Problem refused) {
      refusal = refused;
    }
    // What stands before it may be an honest request, and is answered first.
    if (refusal != null && at == 0) {
      throw refusal;
    }
    return at;
  }

  private int step(byte[] bytes, int at, int length) {
    return switch (phase) {
      case HEAD -> head(bytes, at, length);
      case BODY -> data(at, length, Phase.HEAD);
      case CHUNK_SIZE -> chunkSize(bytes[at], at);
      case CHUNK_SIZE_LF ->
          expect('\n', bytes[at], at, left == 0 ? Phase.LAST_CR : Phase.CHUNK_DATA);
      case CHUNK_DATA -> data(at, length, Phase.CHUNK_DATA_CR);
      case CHUNK_DATA_CR -> expect('\r', bytes[at], at, Phase.CHUNK_DATA_LF);
      case CHUNK_DATA_LF -> {
        digits = 0;
        yield expect('\n', bytes[at], at, Phase.CHUNK_SIZE);
      }
      case LAST_CR -> expect('\r', bytes[at], at, Phase.LAST_LF);
      case LAST_LF -> expect('\n', bytes[at], at, Phase.HEAD);
    };
  }

  private int data(int at, int length, Phase then) {
    int taken = (int) Math.min(left, length - at);
    left -= taken;
    if (left == 0) {
      phase = then;
    }
    return at + taken;
  }

  private int expect(char expected, byte b, int at, Phase then) {
    if (b != expected) {
      throw Head.refused("chunks without extensions and trailers, each line with CR and LF");
    }
    phase = then;
    return at + 1;
  }

  private int chunkSize(byte b, int at) {
    if (b == '\r' && digits > 0) {
      phase = Phase.CHUNK_SIZE_LF;
      return at + 1;
    }
    int digit = Character.digit(b, 16);
    if (digit < 0 || ++digits > CHUNK_DIGITS_MAX) {
      throw Head.refused("the size of a chunk as 1 to 8 hexadecimal digits");
    }
    left = left << 4 | digit;
    // The web server gathers a chunk before anybody can count it.
    if (left > bounds.bodyBytesMax()) {
      throw Problem.of(
          413, "TOO_LARGE", "the body: expected at most " + bounds.bodyBytesMax() + " bytes");
    }
    return at + 1;
  }

  /** The end of the head that begins at a place; that place if the end has not come yet. */
  private int head(byte[] bytes, int from, int length) {
    int at = from + scanned;
    while (at < length) {
      byte b = bytes[at];
      if ((b >= ' ' && b != 0x7F) || b < 0 || b == '\t') {
        at++;
        continue;
      }
      if (b != '\r') {
        throw Head.refused("lines that end with CR and LF, without control characters");
      }
      if (at + 1 == length) {
        break;
      }
      if (bytes[at + 1] != '\n') {
        throw Head.refused("lines that end with CR and LF");
      }
      expectShort(at - from);
      boolean last = at - from == lineFrom;
      if (last && lines > 0) {
        end();
        return at + 2;
      }
      line(bytes, from + lineFrom, at);
      at += 2;
      lineFrom = at - from;
    }
    expectShort(at - from);
    scanned = at - from;
    return from;
  }

  private void expectShort(int bytes) {
    if (lines == 0 && bytes > bounds.lineBytesMax()) {
      throw Problem.of(
          414,
          "TOO_LARGE",
          "the first line: expected at most " + bounds.lineBytesMax() + " bytes, but got more");
    }
    if (bytes > bounds.lineBytesMax() + bounds.headerBytesMax()) {
      throw Head.tooLarge("at most " + bounds.headerBytesMax() + " bytes");
    }
  }

  private void line(byte[] bytes, int from, int to) {
    if (lines == 0) {
      Head.expectPath(bytes, from, to);
    } else {
      head.header(bytes, from, to);
    }
    lines++;
  }

  /** The head is over: what follows it is what it says. */
  private void end() {
    if (head.isChunked()) {
      phase = Phase.CHUNK_SIZE;
      left = 0;
      digits = 0;
    } else if (head.length() > 0) {
      phase = Phase.BODY;
      left = head.length();
    }
    head.clear();
    scanned = 0;
    lineFrom = 0;
    lines = 0;
  }
}
