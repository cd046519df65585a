package io.holdfast.server.http;

import java.util.Locale;

/** Why a server ended a connection that its client would have kept. */
public enum HangUp {
  /** A request came too slowly. */
  SLOW,
  /** An answer was not read. */
  UNREAD,
  /** It rested where others had hardly room. */
  CROWDED,
  /** Its address had as many connections as one may have. */
  ADDRESS_LIMIT,
  /** What came could be understood in two ways, or not at all. */
  MALFORMED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
