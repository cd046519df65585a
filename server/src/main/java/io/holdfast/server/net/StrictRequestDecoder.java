package io.holdfast.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessageDecoderResult;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/**
 * Netty's decoder of requests, which also refuses requests of which it would drop something.
 *
 * <p>The decoder accepts, and drops, empty lines before a request, the line ends within folded
 * headers, repeated spaces, extensions of chunks, zeros before the sizes of chunks and some
 * trailers. Another reader of the same bytes could take them for something else. So this counts: a
 * head and a chunk must have exactly as many bytes as what was decoded from them needs.
 *
 * <p>Thread: the event loop of the connection.
 */
final class StrictRequestDecoder extends HttpRequestDecoder {
  private static final int LINE_END = 2;

  private final Runnable received;

  /** Bytes of the head that were decoded, or of the chunk that is not over, without its data. */
  private long frame;

  /** Bytes of data in the chunk that is not over. */
  private long data;

  private boolean inBody;
  private boolean chunked;

  /**
   * @param received is run when bytes have come, before they are decoded
   */
  StrictRequestDecoder(RequestBounds bounds, Runnable received) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(bounds.lineBytesMax())
            .setMaxHeaderSize(bounds.headerBytesMax())
            .setMaxChunkSize(Integer.MAX_VALUE)
            .setChunkedSupported(true)
            .setAllowPartialChunks(true)
            .setAllowDuplicateContentLengths(false)
            .setStrictLineParsing(true)
            .setUseRfc9112TransferEncoding(true)
            .setHeadersFactory(DefaultHttpHeadersFactory.headersFactory().withValidation(true))
            .setTrailersFactory(DefaultHttpHeadersFactory.trailersFactory().withValidation(true)));
    this.received = received;
  }

  /** Whether nothing of a request has come since the last one was over. */
  boolean isBetweenRequests() {
    return !inBody && frame == 0 && actualReadableBytes() == 0;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    received.run();
    super.channelRead(ctx, message);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    int before = out.size();
    int begin = in.readerIndex();
    super.decode(ctx, in, out);
    int consumed = in.readerIndex() - begin;
    for (int i = before; i < out.size(); i++) {
      if (out.get(i) instanceof HttpObject decoded && decoded.decoderResult().isFailure()) {
        return;
      }
    }
    if (inBody) {
      body(consumed, out, before);
    } else {
      head(consumed, out, before);
    }
  }

  private void head(int consumed, List<Object> out, int from) {
    frame += consumed;
    if (out.size() == from) {
      return;
    }
    HttpRequest request = (HttpRequest) out.get(from);
    if (frame != bytes(request)) {
      request.setDecoderResult(
          DecoderResult.failure(
              new CorruptedFrameException(
                  "no empty or folded lines, and single spaces in the first line")));
    }
    frame = 0;
    data = 0;
    chunked = HttpUtil.isTransferEncodingChunked(request);
    inBody = !(out.getLast() instanceof LastHttpContent);
  }

  /** How many bytes a head has if nothing of it was dropped. */
  private static long bytes(HttpRequest request) {
    HttpMessageDecoderResult decoded = (HttpMessageDecoderResult) request.decoderResult();
    int line =
        request.method().name().length()
            + 1
            + request.uri().length()
            + 1
            + request.protocolVersion().text().length();
    return line
        + LINE_END
        + decoded.headerSize()
        + (long) LINE_END * request.headers().size()
        + LINE_END;
  }

  private void body(int consumed, List<Object> out, int from) {
    int bytes = 0;
    for (int i = from; i < out.size(); i++) {
      bytes += ((HttpContent) out.get(i)).content().readableBytes();
    }
    boolean last = out.size() > from && out.getLast() instanceof LastHttpContent;
    if (chunked && !isExact(consumed - bytes, bytes, last)) {
      if (last) {
        ((HttpContent) out.removeLast()).release();
      }
      out.add(failure());
    }
    if (last) {
      inBody = false;
      frame = 0;
    }
  }

  /**
   * Whether the chunk before has the bytes that its size needs. A step of the decoder that reads
   * more around the data than the line end behind it has read the size of a further chunk.
   */
  private boolean isExact(int around, int bytes, boolean last) {
    boolean exact = true;
    if (last) {
      exact = frame + around == around(0);
    } else if (around > LINE_END) {
      exact = frame == 0 || frame == around(data);
      frame = around;
      data = bytes;
    } else {
      frame += around;
      data += bytes;
    }
    return exact;
  }

  /** The bytes of a chunk besides its data: the digits of its size, and two line ends. */
  private static int around(long data) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(data);
    return Math.max(1, (bits + 3) / 4) + 2 * LINE_END;
  }

  private static HttpContent failure() {
    HttpContent refused = new DefaultLastHttpContent();
    refused.setDecoderResult(
        DecoderResult.failure(new CorruptedFrameException("extensions of chunks are refused")));
    return refused;
  }
}
