package io.holdfast.bench.abuse;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Locale;

/** A way to hold a connection without using it. */
public enum Mischief {
  /** Says nothing at all. */
  SILENT("", ""),
  /** Sends its headers byte by byte. */
  SLOW_HEAD("GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "x"),
  /** Sends a body byte by byte. */
  SLOW_BODY(
      "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n", " "),
  /** Asks for much again and again, and never reads an answer. */
  UNREAD(Mischief.ASK_MUCH.repeat(50), Mischief.ASK_MUCH),
  /** Asks once, and then rests. */
  RESTING("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n", "");

  private static final String ASK_MUCH = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final byte[] first;
  private final byte[] again;

  Mischief(String first, String again) {
    this.first = first.getBytes(US_ASCII);
    this.again = again.getBytes(US_ASCII);
  }

  byte[] first() {
    return first.clone();
  }

  /** What it sends each time it is its turn; nothing if it does not. */
  byte[] again() {
    return again.clone();
  }

  boolean reads() {
    return this != UNREAD;
  }

  /** Whether the server has to end it. */
  public boolean isCutOff() {
    return this != RESTING;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
