package io.holdfast.cluster.peer;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCallStreamObserver;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that one other node forwards: each is asked of this node's own broker, which refuses
 * it unless it leads. So no request is forwarded twice.
 *
 * <p>When the stream ends, the requests that wait end too. A pop whose answer the other node has
 * not confirmed is given back.
 *
 * <p>Thread: requests come one after the other; answers from any thread.
 */
final class VerbStream implements StreamObserver<PeerFrame> {
  private static final Logger LOG = LoggerFactory.getLogger(VerbStream.class);

  /** The most requests of all nodes that may be on a thread of their own. */
  static final int BLOCKING_MAX = 1_000;

  /** The most requests of one node that may have no answer yet. */
  static final int REQUESTS_MAX = 100_000;

  /** The most bytes of answers that may wait because the other node does not read. */
  static final long UNREAD_BYTES_MAX = 64L << 20;

  /**
   * The silence after which the other node is given up, with all that it may still send here. That
   * node gives this one up later, and only then sends its requests again: so a request that was
   * held up on the network is not carried out behind its repeat.
   */
  static final Duration SILENCE_MAX = Duration.ofSeconds(3);

  private static final ThreadFactory THREADS =
      Thread.ofVirtual().name("holdfast-forwarded").factory();

  /** A pop whose answer was sent. */
  private record Unconfirmed(PopRequest request, Popped answer) {}

  private final Broker broker;
  private final Semaphore blocking;
  private final ServerCallStreamObserver<PeerFrame> answers;
  private final Map<Integer, AsyncResult<?>> asked = new ConcurrentHashMap<>();
  private final Map<Integer, Unconfirmed> unconfirmed = new ConcurrentHashMap<>();

  private final Object sending = new Object();
  private final Queue<PeerFrame> unread = new ArrayDeque<>();
  private volatile long heardNanos = System.nanoTime();
  private long unreadBytes;
  private boolean ended;

  /**
   * @param broker the broker of this node itself
   * @param blocking bounds the requests that are on a thread of their own
   */
  VerbStream(Broker broker, Semaphore blocking, ServerCallStreamObserver<PeerFrame> answers) {
    this.broker = broker;
    this.blocking = blocking;
    this.answers = answers;
    answers.setOnReadyHandler(this::sendUnread);
    answers.setOnCancelHandler(this::end);
    send(PeerFrame.of(PeerFrame.READY, 0));
  }

  @Override
  public void onNext(PeerFrame frame) {
    check();
    if (hasEnded()) {
      return;
    }
    heardNanos = System.nanoTime();
    switch (frame.kind()) {
      case PeerFrame.STOP_WAITING -> {
        AsyncResult<?> waiting = asked.get(frame.id());
        if (waiting != null) {
          waiting.stopWaiting();
        }
      }
      case PeerFrame.PING -> send(PeerFrame.of(PeerFrame.ALIVE, 0));
      case PeerFrame.RECEIVED -> unconfirmed.remove(frame.id());
      default -> request(frame);
    }
  }

  private void request(PeerFrame frame) {
    Verb<?, ?> verb = Verbs.numbered(frame.kind());
    if (verb == null) {
      refuse(
          frame.id(),
          ErrorCode.UNSUPPORTED,
          "the leader of the cluster does not know the verb number " + frame.kind());
    } else if (asked.size() >= REQUESTS_MAX) {
      refuse(frame.id(), ErrorCode.OVERLOADED, "the leader has too many forwarded requests");
    } else {
      ask(verb, frame);
    }
  }

  private void refuse(int id, ErrorCode code, String detail) {
    send(new PeerFrame(PeerFrame.REFUSED, id, Verbs.refusalBytes(Refusal.of(code, detail))));
  }

  private <I, O> void ask(Verb<I, O> verb, PeerFrame frame) {
    I request;
    try {
      request = verb.request(frame.body());
    } catch (IllegalArgumentException unreadable) {
      fail(frame.id(), unreadable);
      return;
    }
    AsyncResult<O> result = start(verb, request);
    if (result == null) {
      refuse(
          frame.id(),
          ErrorCode.OVERLOADED,
          "the leader runs " + BLOCKING_MAX + " forwarded requests already");
      return;
    }
    asked.put(frame.id(), result);
    then(verb, request, frame.id(), result);
    boolean late;
    synchronized (sending) {
      late = ended;
    }
    if (late) {
      cancel(result);
    }
  }

  /** The result is used in the action; nothing else depends on it. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private <I, O> void then(Verb<I, O> verb, I request, int id, AsyncResult<O> result) {
    result.whenComplete(
        (answer, failure) -> {
          asked.remove(id);
          if (answer != null) {
            answer(verb, request, id, answer);
          } else if (!result.isCancelled() && failure != null) {
            fail(id, failure);
          }
        });
  }

  /** Asks without blocking; null if too many requests are on threads. */
  private <I, O> @Nullable AsyncResult<O> start(Verb<I, O> verb, I request) {
    if (verb.isAsync()) {
      return verb.askAsync(broker, request);
    }
    if (!blocking.tryAcquire()) {
      return null;
    }
    return AsyncResult.onThread(
        THREADS,
        () -> {
          try {
            return verb.ask(broker, request);
          } finally {
            blocking.release();
          }
        });
  }

  private <I, O> void answer(Verb<I, O> verb, I request, int id, Result<O> result) {
    switch (result) {
      case Result.Ok<O> ok -> {
        if (request instanceof PopRequest pop
            && ok.value() instanceof Popped popped
            && !popped.leaseId().isEmpty()) {
          unconfirmed.put(id, new Unconfirmed(pop, popped));
        }
        send(new PeerFrame(PeerFrame.ANSWERED, id, verb.answerBytes(ok.value())));
      }
      case Result.Refused<O> refused ->
          send(new PeerFrame(PeerFrame.REFUSED, id, Verbs.refusalBytes(refused.why())));
    }
  }

  private void fail(int id, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    boolean invalid = cause instanceof InvalidArgumentException;
    if (!invalid) {
      LOG.error("A forwarded request failed.", cause);
    }
    byte[] text = String.valueOf(cause.getMessage()).getBytes(StandardCharsets.UTF_8);
    send(new PeerFrame(invalid ? PeerFrame.INVALID : PeerFrame.FAILED, id, text));
  }

  // Answers

  private void send(PeerFrame frame) {
    boolean tooMuch;
    synchronized (sending) {
      if (ended) {
        tooMuch = false;
      } else if (unread.isEmpty() && answers.isReady()) {
        answers.onNext(frame);
        return;
      } else {
        unread.add(frame);
        unreadBytes += frame.body().length;
        tooMuch = unreadBytes > UNREAD_BYTES_MAX;
      }
    }
    if (tooMuch) {
      end();
      answers.onError(
          Status.RESOURCE_EXHAUSTED
              .withDescription("the other node does not read its answers")
              .asRuntimeException());
    } else {
      giveBackIfEnded();
    }
  }

  private void sendUnread() {
    synchronized (sending) {
      while (!ended && !unread.isEmpty() && answers.isReady()) {
        PeerFrame next = unread.remove();
        unreadBytes -= next.body().length;
        answers.onNext(next);
      }
    }
  }

  // The end

  @Override
  public void onError(Throwable failure) {
    end();
  }

  @Override
  public void onCompleted() {
    end();
    answers.onCompleted();
  }

  boolean hasEnded() {
    synchronized (sending) {
      return ended;
    }
  }

  /** Ends if the other node has sent nothing for long: it pings often. */
  void check() {
    if (System.nanoTime() - heardNanos > SILENCE_MAX.toNanos() && !hasEnded()) {
      end();
      answers.onError(
          Status.DEADLINE_EXCEEDED
              .withDescription("the other node was silent for too long")
              .asRuntimeException());
    }
  }

  private void end() {
    synchronized (sending) {
      ended = true;
      unread.clear();
      unreadBytes = 0;
    }
    asked.values().forEach(VerbStream::cancel);
    giveBackIfEnded();
  }

  /** A pop that is cancelled gives back what it takes; others are carried out. */
  private static void cancel(AsyncResult<?> result) {
    result.cancel(false);
  }

  private void giveBackIfEnded() {
    if (!hasEnded()) {
      return;
    }
    for (Integer id : List.copyOf(unconfirmed.keySet())) {
      Unconfirmed pop = unconfirmed.remove(id);
      if (pop != null) {
        release(pop);
      }
    }
  }

  /** If that fails, the messages return when their lease expires. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void release(Unconfirmed pop) {
    broker.settleAsync(pop.request().release(pop.answer()));
  }
}
