package io.holdfast.server.net;

/**
 * How large the parts of the head of a request may be.
 *
 * @param lineBytesMax its first line
 * @param headerBytesMax all headers together
 * @param headersMax how many headers
 */
record RequestBounds(int lineBytesMax, int headerBytesMax, int headersMax) {
  static final RequestBounds USUAL = new RequestBounds(8 * 1024, 16 * 1024, 100);
}
