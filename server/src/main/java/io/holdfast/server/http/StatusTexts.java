package io.holdfast.server.http;

import java.util.Map;

/** The phrases of the status codes that errors have. */
final class StatusTexts {
  private static final Map<Integer, String> TEXTS =
      Map.ofEntries(
          Map.entry(400, "Bad Request"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not Found"),
          Map.entry(405, "Method Not Allowed"),
          Map.entry(408, "Request Timeout"),
          Map.entry(409, "Conflict"),
          Map.entry(410, "Gone"),
          Map.entry(413, "Content Too Large"),
          Map.entry(415, "Unsupported Media Type"),
          Map.entry(421, "Misdirected Request"),
          Map.entry(423, "Locked"),
          Map.entry(426, "Upgrade Required"),
          Map.entry(429, "Too Many Requests"),
          Map.entry(431, "Request Header Fields Too Large"),
          Map.entry(500, "Internal Server Error"),
          Map.entry(501, "Not Implemented"),
          Map.entry(503, "Service Unavailable"));

  private StatusTexts() {}

  static String of(int status) {
    return TEXTS.getOrDefault(status, "Error");
  }
}
