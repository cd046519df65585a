package io.holdfast.server.frames;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verb;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Dispatcher;
import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.RequestId;
import io.holdfast.server.http.Room;
import io.holdfast.server.http.Route;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A request in a frame, from its bytes to those of its answer.
 *
 * <p>Thread: the event loop of the connection; the answer may be given by any.
 *
 * @param <I> what is asked
 * @param <O> what is answered
 */
final class FrameCall<I, O> {
  /** Larger requests are decoded on a virtual thread, because that takes long. */
  private static final int LOOP_BYTES_MAX = 64 * 1024;

  private static final int OK = 200;

  final int id;
  final int bytes;
  final Route route;
  final Room.Share share;
  final long begunNanos = System.nanoTime();
  private final Verb<I, O> verb;
  private final Pass pass;
  private final Broker broker;
  private @Nullable AsyncResult<O> result;
  private volatile @Nullable I request;
  private int status = OK;

  FrameCall(
      int id, int bytes, Verb<I, O> verb, Route route, Pass pass, Room.Share share, Broker broker) {
    this.id = id;
    this.bytes = bytes;
    this.verb = verb;
    this.route = route;
    this.pass = pass;
    this.share = share;
    this.broker = broker;
  }

  /** Asks the broker. */
  AsyncResult<O> start(byte[] body) {
    AsyncResult<O> asked;
    try {
      if (verb.isAsync() && body.length <= LOOP_BYTES_MAX) {
        I decoded = verb.request(body);
        request = decoded;
        asked = pass.as(() -> verb.askAsync(broker, decoded));
      } else {
        asked =
            AsyncResult.onThread(
                Thread.ofVirtual().name("holdfast-call").factory(),
                () -> ask(body),
                this::giveBack);
      }
    } catch (RuntimeException | Error failed) {
      asked = new AsyncResult<>();
      asked.completeExceptionally(failed);
    }
    result = asked;
    return asked;
  }

  private Result<O> ask(byte[] body) {
    I decoded = verb.request(body);
    request = decoded;
    return pass.as(() -> verb.ask(broker, decoded));
  }

  /** Ends the wait of a request that waits. */
  void stopWaiting() {
    if (result != null) {
      result.stopWaiting();
    }
  }

  /** Nobody reads the answer any more. */
  void cancel() {
    if (result != null) {
      result.cancel(false);
    }
  }

  /** The frame of the answer. */
  byte[] answer(@Nullable Result<O> answered, @Nullable Throwable failure) {
    if (answered == null) {
      return problem(
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure == null ? new IllegalStateException("no result") : failure);
    }
    return switch (answered) {
      case Result.Ok<O> ok -> whole(answered, Frames.answer(verb, id, ok.value()));
      case Result.Refused<O> refused -> {
        status = Problem.refused(refused.why()).status();
        yield Frames.refusal(id, refused.why());
      }
    };
  }

  /** The answer if there is room for it; else what the request took is given back. */
  private byte[] whole(Result<O> answered, byte[] frame) {
    try {
      share.takeForAnswer(frame.length, !route.onlyLooks() && !isUndoable());
      return frame;
    } catch (Problem full) {
      unsent(answered);
      return problem(full);
    }
  }

  private boolean isUndoable() {
    return request instanceof PopRequest pop && pop.settles().isEmpty() && !pop.autoAck();
  }

  private byte[] problem(Throwable failure) {
    Answer answer = Dispatcher.failure(route, RequestId.made(), failure);
    status = answer.status();
    return Frames.problem(id, status, answer.body());
  }

  /** The status that HTTP would have answered. */
  int status() {
    return status;
  }

  /** Gives back what a pop took whose answer could not be sent. */
  void unsent(@Nullable Result<O> answered) {
    if (answered != null && request instanceof PopRequest) {
      Thread.ofVirtual().name("holdfast-undo").start(() -> giveBack(answered));
    }
  }

  private void giveBack(Result<O> unused) {
    if (request instanceof PopRequest pop && unused instanceof Result.Ok<O> ok) {
      Result<Popped> popped = Result.ok((Popped) ok.value());
      pass.run(() -> pop.giveBack(popped, broker));
    }
  }
}
