package io.holdfast.server.net;

import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Dispatcher;
import io.holdfast.server.http.Exchange;
import io.holdfast.server.http.HangUp;
import io.holdfast.server.http.Peer;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.RequestHead;
import io.holdfast.server.http.RequestId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the requests of a connection, one after the other: a request is begun when the one before
 * is answered.
 *
 * <p>It reads on while a request is answered, because the end of a connection is noticed only by
 * reading. What has come of further requests is kept, and when it is much, reading stops.
 *
 * <p>Thread: the event loop of the connection.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  /** How much is read of further requests, about. */
  private static final int AHEAD_BYTES_MAX = 64 * 1024;

  /** What a decoded object takes besides its bytes, about. */
  private static final int OBJECT_BYTES = 256;

  private final Channel channel;
  private final ConnectionSettings settings;
  private final boolean secure;
  private final Peer peer;
  private final Deadlines deadlines;
  private final Dispatcher dispatcher;
  private final StrictRequestDecoder decoder;
  private final HttpResponseEncoder encoder = new HttpResponseEncoder();
  private final ChunkedWriteHandler pieces = new ChunkedWriteHandler();
  private final AnswerWriter writer;
  private final Queue<Object> ahead = new ArrayDeque<>();
  private int aheadBytes;
  private boolean advancing;

  /** The request whose body is being read; null if there is none. */
  private @Nullable Exchange reading;

  private long announced;
  private boolean inBody;
  private boolean answering;
  private boolean inputEnded;

  /** Whether nothing more is read but to drop it. */
  private boolean ending;

  private long dropped;

  HttpConnection(Channel channel, ConnectionSettings settings, boolean secure) {
    this.channel = channel;
    this.settings = settings;
    this.secure = secure;
    this.peer = new Peer(channel.remoteAddress(), settings.parked());
    this.deadlines = new Deadlines(channel, settings.patience());
    this.dispatcher = settings.dispatcher();
    this.decoder = new StrictRequestDecoder(RequestBounds.USUAL, deadlines::received);
    this.writer = new AnswerWriter(channel, peer, this::answered);
    channel.closeFuture().addListener(closed -> closed());
  }

  /** Adds all that speaks HTTP to the pipeline of the channel. */
  void install() {
    channel.pipeline().addLast(decoder, encoder, pieces, this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (ending) {
      drop(message);
      return;
    }
    ahead.add(message);
    aheadBytes += size(message);
    advance();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    writer.flush();
  }

  private static int size(Object message) {
    return OBJECT_BYTES
        + (message instanceof HttpContent content ? content.content().readableBytes() : 0);
  }

  /** Takes what has come, as far as a request is not being answered. */
  private void advance() {
    if (advancing) {
      return;
    }
    advancing = true;
    while (!answering && !ending && channel.isWritable() && !ahead.isEmpty()) {
      Object message = ahead.remove();
      aheadBytes -= size(message);
      try {
        take(message);
      } finally {
        ReferenceCountUtil.release(message);
      }
    }
    advancing = false;
    boolean readMore = ending || aheadBytes <= AHEAD_BYTES_MAX;
    if (channel.config().isAutoRead() != readMore) {
      channel.config().setAutoRead(readMore);
    }
    if (inputEnded && !answering && !ending && ahead.isEmpty()) {
      end();
    }
  }

  private void take(Object message) {
    if (message instanceof HttpRequest head) {
      begin(head);
    } else if (message instanceof HttpContent content) {
      add(content);
    }
  }

  private void begin(HttpRequest head) {
    Problem malformed = RequestRules.refusal(head, RequestBounds.USUAL);
    if (malformed != null) {
      if (head.decoderResult().cause() instanceof PrematureChannelClosureException) {
        end();
      } else {
        hangUpAfter(null, malformed);
      }
      return;
    }
    deadlines.enter(Deadlines.Phase.BODY);
    announced = RequestRules.bodyLength(head);
    inBody = announced != 0;
    Exchange exchange = dispatcher.begin(new RequestHead(head), peer, secure);
    reading = exchange;
    Answer refusal = exchange.refusal();
    if (refusal == null && announced != 0) {
      refusal = refusalOfBody(exchange);
    }
    boolean expected = announced != 0 && HttpUtil.is100ContinueExpected(head);
    if (refusal != null) {
      // A body that nobody has asked for may come or not, and a long one is not worth reading.
      boolean dropped = !expected && announced >= 0 && announced <= exchange.worthReading();
      answer(exchange, refusal, !dropped);
    } else if (expected) {
      var _ =
          channel.writeAndFlush(
              new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE),
              channel.voidPromise());
    }
  }

  private @Nullable Answer refusalOfBody(Exchange exchange) {
    try {
      exchange.expectBody(announced);
      return null;
    } catch (Problem refused) {
      return refused.answer(exchange.id());
    }
  }

  private void add(HttpContent content) {
    Exchange exchange = reading;
    int bytes = content.content().readableBytes();
    boolean last = content instanceof LastHttpContent;
    boolean trailers = last && !((LastHttpContent) content).trailingHeaders().isEmpty();
    if (content.decoderResult().isFailure() || trailers || (announced == 0 && bytes > 0)) {
      hangUpAfter(exchange, RequestRules.chunks());
      return;
    }
    deadlines.received(bytes);
    if (exchange != null && bytes > 0) {
      try {
        exchange.add(content.content().nioBuffer());
      } catch (Problem refused) {
        answer(exchange, refused.answer(exchange.id()), true);
        return;
      }
    }
    if (last) {
      inBody = false;
      if (exchange == null) {
        deadlines.enter(between());
      } else {
        ready(exchange);
      }
    }
  }

  /** What is waited for while no request is being read or answered. */
  private Deadlines.Phase between() {
    if (inBody) {
      return Deadlines.Phase.BODY;
    }
    return ahead.isEmpty() && decoder.isBetweenRequests()
        ? Deadlines.Phase.RESTING
        : Deadlines.Phase.HEAD;
  }

  private void ready(Exchange exchange) {
    reading = null;
    String protocol = exchange.upgrade();
    if (protocol != null && ahead.isEmpty()) {
      Function<UpgradedConnection, ChannelHandler> handler = settings.upgrades().get(protocol);
      if (handler != null) {
        upgrade(exchange, protocol, handler);
        return;
      }
    }
    answering = true;
    deadlines.enter(Deadlines.Phase.ANSWERING);
    writer.answer(exchange);
  }

  /** Answers that the protocol changes, and lets another handler take over. */
  private void upgrade(
      Exchange exchange, String protocol, Function<UpgradedConnection, ChannelHandler> handler) {
    deadlines.enter(Deadlines.Phase.ANSWERING);
    var _ = channel.writeAndFlush(Responses.switching(protocol), channel.voidPromise());
    exchange.sent(Answer.switchingProtocols());
    exchange.close();
    channel
        .pipeline()
        .addLast(
            handler.apply(
                new UpgradedConnection(
                    channel, exchange.pass(), exchange.admission(), peer, deadlines)));
    // Other protocols have no use for a client that reads and does not send.
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
    channel.pipeline().remove(encoder);
    channel.pipeline().remove(pieces);
    channel.pipeline().remove(this);
    // Last, because bytes that it has not decoded go to the handlers that are there then.
    channel.pipeline().remove(decoder);
  }

  /** Answers a request before its action, and perhaps before its end. */
  private void answer(@Nullable Exchange exchange, Answer answer, boolean last) {
    reading = null;
    answering = true;
    deadlines.enter(Deadlines.Phase.ANSWERING);
    writer.write(exchange, answer, last);
  }

  private void hangUpAfter(@Nullable Exchange exchange, Problem malformed) {
    dispatcher.traffic().hungUp(HangUp.MALFORMED);
    inBody = true;
    if (exchange == null && reading != null) {
      reading.close();
    }
    RequestId id = exchange == null ? RequestId.made() : exchange.id();
    answer(exchange, malformed.answer(id), true);
  }

  /** A request is answered; if it is the last, its answer is also sent. */
  private void answered(boolean last) {
    if (!last) {
      answering = false;
      deadlines.enter(between());
      advance();
    } else if (inBody && !inputEnded && !ending) {
      linger();
    } else {
      end();
    }
  }

  /**
   * Reads and drops what is left of a request that was answered before its end: a connection that
   * is closed with something unread is reset, and its client may then not see the answer.
   */
  private void linger() {
    ending = true;
    deadlines.enter(Deadlines.Phase.LINGERING);
    channel.pipeline().remove(decoder);
    while (!ahead.isEmpty()) {
      drop(ahead.remove());
    }
    channel.config().setAutoRead(true);
  }

  private void drop(Object message) {
    if (message instanceof ByteBuf bytes) {
      dropped += bytes.readableBytes();
    } else if (message instanceof HttpContent content) {
      dropped += content.content().readableBytes();
    }
    ReferenceCountUtil.release(message);
    if (dropped > dispatcher.bodyBytesMax()) {
      var _ = channel.close();
    }
  }

  /** Closes the connection when all that was written is sent. */
  private void end() {
    ending = true;
    var _ = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    writer.writabilityChanged();
    advance();
    writer.flush();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true;
      peer.end();
      if (ending || (!answering && ahead.isEmpty())) {
        end();
      }
    } else if (event instanceof SslHandshakeCompletionEvent shaken && shaken.isSuccess()) {
      deadlines.enter(Deadlines.Phase.HEAD);
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
    LOG.debug("A connection to {} failed", channel.remoteAddress(), failure);
    var _ = channel.close();
  }

  /** Hangs up on a client that is too slow. */
  void sweep(long now, boolean crowded) {
    HangUp why = deadlines.overdue(now, crowded);
    if (why != null) {
      dispatcher.traffic().hungUp(why);
      // Past the handlers: TLS would wait to send its farewell.
      channel.unsafe().close(channel.voidPromise());
    } else if (deadlines.isOver(now)) {
      var _ = channel.close();
    }
  }

  void close() {
    var _ = channel.close();
  }

  void drain() {
    channel.pipeline().fireUserEventTriggered(UpgradedConnection.DRAINING);
  }

  private void closed() {
    ending = true;
    peer.leave();
    writer.closed();
    if (reading != null) {
      reading.close();
    }
    while (!ahead.isEmpty()) {
      ReferenceCountUtil.release(ahead.remove());
    }
  }
}
