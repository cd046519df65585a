package io.holdfast.client.remote;

import io.holdfast.api.wire.Frames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Takes the frames out of the bytes of a connection, which come in any pieces.
 *
 * <p>Thread: one at a time.
 */
final class FrameReader {
  /** Receives frames. */
  interface Sink {
    void frame(int kind, int id, byte[] body) throws IOException;
  }

  static final int FRAME_BYTES_MAX = 256 << 20;
  private static final int HEAD_BYTES = Frames.LENGTH_BYTES + Frames.HEAD_BYTES;

  /** A length may be a lie: memory is used for bytes that have come. */
  private static final int BODY_BYTES_FIRST = 64 * 1024;

  private final byte[] head = new byte[HEAD_BYTES];
  private int headBytes;
  private byte[] body = {};
  private int bodyBytes;
  private int bodyLength;

  /**
   * Reads all bytes of a buffer.
   *
   * @throws IOException if they are no frames
   */
  void read(ByteBuffer in, Sink sink) throws IOException {
    while (in.hasRemaining()) {
      if (headBytes < HEAD_BYTES) {
        int count = Math.min(HEAD_BYTES - headBytes, in.remaining());
        in.get(head, headBytes, count);
        headBytes += count;
        if (headBytes < HEAD_BYTES) {
          return;
        }
        begin();
      }
      fill(in);
      if (bodyBytes == bodyLength) {
        headBytes = 0;
        sink.frame(head[Frames.LENGTH_BYTES] & 0xFF, number(Frames.LENGTH_BYTES + 1), body);
      }
    }
  }

  private void begin() throws IOException {
    int length = number(0);
    if (length < Frames.HEAD_BYTES || length > FRAME_BYTES_MAX) {
      throw new IOException(
          "the server sent bytes that are no frame: expected a length of "
              + Frames.HEAD_BYTES
              + " to "
              + FRAME_BYTES_MAX
              + ", but got "
              + Integer.toUnsignedString(length));
    }
    bodyLength = length - Frames.HEAD_BYTES;
    bodyBytes = 0;
    body = new byte[Math.min(bodyLength, BODY_BYTES_FIRST)];
  }

  private void fill(ByteBuffer in) {
    int count = Math.min(bodyLength - bodyBytes, in.remaining());
    if (bodyBytes + count > body.length) {
      int doubled = Math.max(2 * body.length, bodyBytes + count);
      body = Arrays.copyOf(body, Math.min(bodyLength, doubled));
    }
    in.get(body, bodyBytes, count);
    bodyBytes += count;
  }

  private int number(int at) {
    return (head[at] & 0xFF) << 24
        | (head[at + 1] & 0xFF) << 16
        | (head[at + 2] & 0xFF) << 8
        | (head[at + 3] & 0xFF);
  }
}
