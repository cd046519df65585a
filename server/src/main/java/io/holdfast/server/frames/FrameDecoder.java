package io.holdfast.server.frames;

import io.holdfast.api.wire.Frames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads frames from a connection. A body is collected in an array of its own, which its owner makes
 * or refuses when the head has come; one that is refused is skipped.
 *
 * <p>Thread: the event loop of the connection.
 */
abstract class FrameDecoder extends ByteToMessageDecoder {
  private int kind;
  private int id;
  private byte @Nullable [] body;
  private int filled;
  private long toSkip;

  /** Makes an array for a body; null to skip it. */
  abstract byte @Nullable [] accept(int kind, int id, long bodyBytes);

  /** Handles a frame that is whole. */
  abstract void received(int kind, int id, byte[] body);

  /** Handles a length that no frame can have: what follows cannot be understood. */
  abstract void malformed(long length);

  /** Whether a frame has come in part. */
  final boolean isInFrame() {
    return body != null || toSkip > 0 || actualReadableBytes() > 0;
  }

  @Override
  protected final void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    while (ctx.channel().isActive()) {
      if (toSkip > 0) {
        int skipped = (int) Math.min(toSkip, in.readableBytes());
        in.skipBytes(skipped);
        toSkip -= skipped;
        if (toSkip > 0) {
          return;
        }
      }
      if (body == null && !readHead(in)) {
        return;
      }
      byte[] filling = body;
      if (filling != null) {
        int read = Math.min(filling.length - filled, in.readableBytes());
        in.readBytes(filling, filled, read);
        filled += read;
        if (filled < filling.length) {
          return;
        }
        body = null;
        received(kind, id, filling);
      }
    }
    in.skipBytes(in.readableBytes());
  }

  private boolean readHead(ByteBuf in) {
    if (in.readableBytes() < Frames.LENGTH_BYTES + Frames.HEAD_BYTES) {
      return false;
    }
    long length = in.readUnsignedInt();
    kind = in.readUnsignedByte();
    id = in.readInt();
    if (length < Frames.HEAD_BYTES || length > Integer.MAX_VALUE) {
      malformed(length);
      return true;
    }
    body = accept(kind, id, length - Frames.HEAD_BYTES);
    filled = 0;
    toSkip = body == null ? length - Frames.HEAD_BYTES : 0;
    return true;
  }
}
