package io.holdfast.server.net;

import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Exchange;
import io.holdfast.server.http.Peer;
import io.holdfast.server.http.Streaming;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpChunkedInput;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.stream.ChunkedStream;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the action of a request and writes its answer: on the event loop if the action is
 * asynchronous, else in a virtual thread.
 *
 * <p>Invariant: each exchange is closed once, and an answer that could not be written is undone.
 *
 * <p>Thread: the event loop of the connection; methods that say so run in the call's thread.
 */
final class AnswerWriter {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerWriter.class);

  /** Called when a request is answered. */
  interface Listener {
    /**
     * The next request may begin.
     *
     * @param last whether there is none; the answer is sent then
     */
    void answered(boolean last);
  }

  private final Channel channel;
  private final Peer peer;
  private final Listener listener;
  private @Nullable AsyncAnswer<?> pending;
  private volatile @Nullable ResponseSink sink;
  private boolean unflushed;

  AnswerWriter(Channel channel, Peer peer, Listener listener) {
    this.channel = channel;
    this.peer = peer;
    this.listener = listener;
  }

  /** Sends what was written. */
  void flush() {
    if (unflushed) {
      unflushed = false;
      channel.flush();
    }
  }

  /** Answers a request whose body is whole. */
  void answer(Exchange exchange) {
    AsyncAnswer<?> asked = exchange.answerAsync();
    if (asked == null) {
      Thread.ofVirtual().name("holdfast-call").start(() -> answerHere(exchange));
    } else if (asked.result().isDone()) {
      answered(exchange, asked);
    } else {
      pending = asked;
      var _ =
          asked
              .result()
              .whenComplete((result, failure) -> onLoop(exchange, () -> answered(exchange, asked)));
    }
  }

  /** The result of an asynchronous action has come. */
  private void answered(Exchange exchange, AsyncAnswer<?> asked) {
    pending = null;
    Answer answer = exchange.answer(asked);
    Answer full = exchange.overloaded(answer);
    if (full != null || answer.streaming() != null) {
      Thread.ofVirtual().name("holdfast-call").start(() -> finishHere(exchange, answer, full));
    } else {
      write(exchange, answer, false);
    }
  }

  /** Answers in this thread, which may block. */
  private void answerHere(Exchange exchange) {
    Answer answer = exchange.answer();
    finishHere(exchange, answer, peer.isGone() ? null : exchange.overloaded(answer));
  }

  private void finishHere(Exchange exchange, Answer answer, @Nullable Answer full) {
    if (full != null) {
      undo(answer);
    }
    Answer told = full == null ? answer : full;
    Streaming streaming = told.streaming();
    if (streaming == null || exchange.isHead() || peer.isGone()) {
      if (!onLoop(exchange, () -> write(exchange, told, false))) {
        undo(told);
      }
    } else {
      stream(exchange, told, streaming);
    }
  }

  private void stream(Exchange exchange, Answer answer, Streaming streaming) {
    boolean last = exchange.isLast();
    ResponseSink out = new ResponseSink(channel, peer, exchange.pass());
    sink = out;
    var _ = channel.write(Responses.head(exchange.sent(answer), last), channel.voidPromise());
    boolean whole = exchange.stream(streaming, out);
    onLoop(exchange, () -> streamed(exchange, whole, last));
  }

  private void streamed(Exchange exchange, boolean whole, boolean last) {
    sink = null;
    if (!whole) {
      exchange.close();
      var _ = channel.close();
      return;
    }
    ChannelPromise written = channel.newPromise();
    written.addListener(sent -> sent(exchange, null, last, sent.isSuccess()));
    var _ = channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, written);
    if (!last) {
      listener.answered(false);
    }
  }

  /**
   * Writes an answer that is whole.
   *
   * @param exchange null if the request could not be understood
   * @param last whether the connection ends with it, whatever the request says
   */
  void write(@Nullable Exchange exchange, Answer answer, boolean last) {
    if (peer.isGone() || !channel.isActive()) {
      if (exchange != null) {
        exchange.close();
      }
      undoLater(answer);
      var _ = channel.close();
      return;
    }
    boolean ends = last || (exchange != null && exchange.isLast());
    boolean bodiless = exchange != null && exchange.isHead();
    Answer sent = exchange == null ? answer : exchange.sent(answer);
    ChannelPromise written = channel.newPromise();
    written.addListener(done -> sent(exchange, answer, ends, done.isSuccess()));
    if (bodiless || sent.body().length <= ResponseSink.PIECE_BYTES) {
      var _ = channel.write(Responses.whole(sent, ends, bodiless), written);
      unflushed = true;
      if (ends) {
        flush();
      } else {
        listener.answered(false);
      }
    } else {
      writeLarge(sent, ends, written);
    }
    if (bodiless && sent.streaming() != null) {
      undoLater(answer);
    }
  }

  /** Writes an answer in pieces as the client reads it, so that little is outside of the heap. */
  private void writeLarge(Answer answer, boolean last, ChannelPromise written) {
    written.addListener(
        done -> {
          if (done.isSuccess() && !last) {
            listener.answered(false);
            flush();
          }
        });
    InputStream body = new ByteArrayInputStream(answer.body());
    var _ = channel.write(Responses.head(answer, last), channel.voidPromise());
    var _ =
        channel.writeAndFlush(
            new HttpChunkedInput(new ChunkedStream(body, ResponseSink.PIECE_BYTES)), written);
  }

  /** An answer was handed to the operating system, or could not be. */
  private void sent(
      @Nullable Exchange exchange, @Nullable Answer answer, boolean last, boolean success) {
    if (exchange != null) {
      exchange.close();
    }
    if (!success) {
      if (answer != null) {
        undoLater(answer);
      }
      var _ = channel.close();
    } else if (last) {
      listener.answered(true);
    }
  }

  /** The client has read something, or reads no more. */
  void writabilityChanged() {
    if (sink != null) {
      sink.changed();
    }
  }

  /** The connection is closed. */
  void closed() {
    if (sink != null) {
      sink.changed();
    }
    if (pending != null) {
      pending.result().cancel(false);
    }
  }

  /**
   * Runs something on the event loop, and sends what it writes; false if the loop is stopped, and
   * nothing runs any more.
   */
  private boolean onLoop(Exchange exchange, Runnable task) {
    if (!channel.eventLoop().inEventLoop()) {
      try {
        channel.eventLoop().execute(() -> onLoop(exchange, task));
        return true;
      } catch (RejectedExecutionException stopped) {
        exchange.close();
        return false;
      }
    }
    task.run();
    flush();
    return true;
  }

  private static void undoLater(Answer answer) {
    if (answer.ifUnsent() != null) {
      Thread.ofVirtual().name("holdfast-undo").start(() -> undo(answer));
    }
  }

  private static void undo(Answer answer) {
    Runnable undo = answer.ifUnsent();
    if (undo != null) {
      try {
        undo.run();
      } catch (RuntimeException failed) {
        LOG.error("An answer that was not sent could not be undone.", failed);
      }
    }
  }
}
