package io.holdfast.cluster.peer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.ratis.thirdparty.io.grpc.Drainable;
import org.apache.ratis.thirdparty.io.grpc.KnownLength;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;

/** Turns a {@link PeerFrame} into bytes and back: kind (1 byte), id (4 bytes), body. */
final class PeerFrameMarshaller implements MethodDescriptor.Marshaller<PeerFrame> {
  private static final int HEAD_BYTES = 5;

  @Override
  public InputStream stream(PeerFrame frame) {
    return new FrameStream(frame);
  }

  @Override
  public PeerFrame parse(InputStream stream) {
    try {
      byte[] head = stream.readNBytes(HEAD_BYTES);
      if (head.length < HEAD_BYTES) {
        throw new IllegalArgumentException(
            "expected a message of at least " + HEAD_BYTES + " bytes, but got " + head.length);
      }
      int id = 0;
      for (int i = 1; i < HEAD_BYTES; i++) {
        id = (id << Byte.SIZE) | (head[i] & 0xff);
      }
      return new PeerFrame(head[0] & 0xff, id, stream.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static byte[] head(PeerFrame frame) {
    int id = frame.id();
    return new byte[] {
      (byte) frame.kind(), (byte) (id >>> 24), (byte) (id >>> 16), (byte) (id >>> 8), (byte) id
    };
  }

  /** Writes head and body without joining them first. */
  private static final class FrameStream extends InputStream implements KnownLength, Drainable {
    private final ByteArrayInputStream head;
    private final ByteArrayInputStream body;

    FrameStream(PeerFrame frame) {
      head = new ByteArrayInputStream(head(frame));
      body = new ByteArrayInputStream(frame.body());
    }

    @Override
    public int available() {
      return head.available() + body.available();
    }

    @Override
    public int read() {
      int next = head.read();
      return next < 0 ? body.read() : next;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      int count = head.read(into, offset, length);
      return count > 0 || length == 0 ? count : body.read(into, offset, length);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      return (int) (head.transferTo(target) + body.transferTo(target));
    }
  }
}
