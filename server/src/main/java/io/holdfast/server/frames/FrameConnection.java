package io.holdfast.server.frames;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Dispatcher;
import io.holdfast.server.http.HangUp;
import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.RequestId;
import io.holdfast.server.http.Room;
import io.holdfast.server.http.Route;
import io.holdfast.server.net.Deadlines.Phase;
import io.holdfast.server.net.UpgradedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection whose client sends requests in frames, and gets their answers in any order.
 *
 * <p>Invariant: each request in {@code pending} counts as a running call of the server, and is
 * answered once or has nobody to answer.
 *
 * <p>Thread: the event loop of the connection. Results come from any thread and are passed to it;
 * all that have come are flushed together.
 */
final class FrameConnection extends FrameDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(FrameConnection.class);

  private final FrameHandlers service;
  private final Dispatcher server;
  private final UpgradedConnection upgraded;
  private final Channel channel;
  private final CompletableFuture<Void> open = new CompletableFuture<>();
  private final IntObjectMap<FrameCall<?, ?>> pending = new IntObjectHashMap<>();

  /** What was admitted for each verb. */
  private final @Nullable Pass[] passes = new Pass[Verbs.ALL.size() + 1];

  private long pendingBytes;

  /** The share of the room that the frame which is being read has. */
  private Room.Share share;

  private boolean reading;
  private boolean flushScheduled;

  FrameConnection(FrameHandlers service, UpgradedConnection upgraded) {
    this.service = service;
    this.server = service.server;
    this.upgraded = upgraded;
    this.channel = upgraded.channel();
    this.share = server.room().share();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    // It is cancelled when the token that the client came with is revoked.
    upgraded.peer().watching(upgraded.pass(), open);
    var _ = open.whenComplete((ended, cancelled) -> close());
    channel.closeFuture().addListener(closed -> closed());
    if (server.traffic().isDraining()) {
      write(Frames.closing());
    }
    noteWait();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    reading = true;
    if (isInFrame() && message instanceof ByteBuf bytes) {
      upgraded.deadlines().received(bytes.readableBytes());
    }
    super.channelRead(ctx, message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    super.channelReadComplete(ctx);
    reading = false;
    if (flushScheduled) {
      flush();
    }
    noteWait();
  }

  /** Tells the deadlines of the connection what the server waits for. */
  private void noteWait() {
    Phase idle = pending.isEmpty() ? Phase.RESTING : Phase.ANSWERING;
    upgraded.deadlines().continueWith(isInFrame() ? Phase.BODY : idle);
  }

  @Override
  byte @Nullable [] accept(int kind, int id, long bodyBytes) {
    try {
      if (bodyBytes > server.bodyBytesMax()) {
        throw Problem.of(
            413,
            "TOO_LARGE",
            "the frame: expected at most %d bytes, but got %d"
                .formatted(server.bodyBytesMax(), bodyBytes));
      }
      if (bodyBytes > Room.SMALL_BYTES) {
        share.take(bodyBytes);
      }
      return new byte[(int) bodyBytes];
    } catch (Problem refused) {
      refuse(id, refused);
      return null;
    }
  }

  private void refuse(int id, RuntimeException why) {
    Answer answer = Dispatcher.failure(null, RequestId.made(), why);
    write(Frames.problem(id, answer.status(), answer.body()));
  }

  @Override
  void malformed(long length) {
    LOG.debug("Closing {}: a frame of length {}", channel.remoteAddress(), length);
    server.traffic().hungUp(HangUp.MALFORMED);
    close();
  }

  @Override
  void received(int kind, int id, byte[] body) {
    Room.Share taken = share;
    share = server.room().share();
    if (kind == Frames.STOP_WAITING) {
      taken.close();
      FrameCall<?, ?> call = pending.get(id);
      if (call != null) {
        call.stopWaiting();
      }
      return;
    }
    Verb<?, ?> verb = Verbs.numbered(kind);
    if (pending.containsKey(id)) {
      malformed(body.length);
    } else if (verb == null) {
      refuse(id, Problem.of(404, "NOT_FOUND", "the frame: there is no verb with number " + kind));
    } else if (pending.size() >= Frames.REQUESTS_MAX || isTooMuch(body.length)) {
      write(Frames.refusal(id, tooMuch()));
    } else {
      start(verb, id, body, taken);
      return;
    }
    taken.close();
  }

  private boolean isTooMuch(int more) {
    return pendingBytes > 0 && pendingBytes + more > Frames.REQUEST_BYTES_MAX;
  }

  private static Refusal tooMuch() {
    return Refusal.of(
        ErrorCode.OVERLOADED,
        "the connection has "
            + Frames.REQUESTS_MAX
            + " requests or "
            + Frames.REQUEST_BYTES_MAX
            + " bytes of them without an answer, which is the most; await answers, or open another"
            + " connection");
  }

  private <I, O> void start(Verb<I, O> verb, int id, byte[] body, Room.Share taken) {
    Route route = service.route(verb.number());
    Pass pass;
    try {
      if (server.traffic().isDraining()) {
        throw Problem.closing();
      }
      pass = pass(verb.number(), route);
    } catch (RuntimeException refused) {
      taken.close();
      refuse(id, refused);
      return;
    }
    FrameCall<I, O> call =
        new FrameCall<>(id, body.length, verb, route, pass, taken, service.broker);
    pending.put(id, call);
    pendingBytes += body.length;
    server.traffic().begin();
    var _ = call.start(body).whenComplete((result, failure) -> answered(call, result, failure));
  }

  /** What lets the client ask a verb; looked up again if its token has changed. */
  private Pass pass(int number, Route route) {
    Pass known = passes[number];
    if (known != null && known.isGood()) {
      return known;
    }
    Pass admitted = upgraded.admission().apply(route);
    passes[number] = admitted;
    return admitted;
  }

  private <O> void answered(
      FrameCall<?, O> call, @Nullable Result<O> result, @Nullable Throwable failure) {
    if (channel.eventLoop().inEventLoop()) {
      finish(call, result, failure);
      return;
    }
    try {
      channel.eventLoop().execute(() -> finish(call, result, failure));
    } catch (RejectedExecutionException stopped) {
      call.unsent(result);
    }
  }

  private <O> void finish(
      FrameCall<?, O> call, @Nullable Result<O> result, @Nullable Throwable failure) {
    pending.remove(call.id);
    pendingBytes -= call.bytes;
    if (!channel.isActive()) {
      call.unsent(result);
      ended(call);
      return;
    }
    byte[] frame = call.answer(result, failure);
    service
        .server
        .observer()
        .answered(call.route, call.status(), System.nanoTime() - call.begunNanos);
    ChannelPromise written = channel.newPromise();
    written.addListener(
        sent -> {
          if (!sent.isSuccess()) {
            call.unsent(result);
          }
          ended(call);
        });
    var _ = channel.write(Unpooled.wrappedBuffer(frame), written);
    scheduleFlush();
    if (pending.isEmpty() && !reading) {
      noteWait();
    }
  }

  private void ended(FrameCall<?, ?> call) {
    call.share.close();
    server.traffic().end();
  }

  private void write(byte[] frame) {
    var _ = channel.write(Unpooled.wrappedBuffer(frame), channel.voidPromise());
    scheduleFlush();
  }

  /** Flushes after all that is to be done on the event loop now: more answers may be among it. */
  private void scheduleFlush() {
    if (!flushScheduled) {
      flushScheduled = true;
      if (!reading) {
        channel.eventLoop().execute(this::flush);
      }
    }
  }

  private void flush() {
    if (flushScheduled) {
      flushScheduled = false;
      channel.flush();
    }
  }

  /** A client that does not read its answers is not read from either. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    channel.config().setAutoRead(channel.isWritable());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof ChannelInputShutdownEvent) {
      close();
    } else if (event.equals(UpgradedConnection.DRAINING)) {
      write(Frames.closing());
    } else {
      super.userEventTriggered(ctx, event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
    LOG.debug("A connection to {} failed", channel.remoteAddress(), failure);
    close();
  }

  private void close() {
    var _ = channel.close();
  }

  private void closed() {
    open.complete(null);
    share.close();
    for (FrameCall<?, ?> call : List.copyOf(pending.values())) {
      call.cancel();
    }
  }
}
