package io.holdfast.server.http;

/**
 * How large the parts of a request may be.
 *
 * @param lineBytesMax its first line
 * @param headerBytesMax all headers together
 * @param headersMax how many headers
 * @param bodyBytesMax its body
 */
public record RequestBounds(
    int lineBytesMax, int headerBytesMax, int headersMax, int bodyBytesMax) {}
