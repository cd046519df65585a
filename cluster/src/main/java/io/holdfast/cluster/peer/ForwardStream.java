package io.holdfast.cluster.peer;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.wire.Verb;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.Channel;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCallStreamObserver;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientResponseObserver;
import org.jspecify.annotations.Nullable;

/**
 * The requests to one other node, which share a stream. Requests wait until the other node has said
 * that it takes them; so it is known which of them had no effect if it cannot be reached.
 *
 * <p>Invariant: each call that was accepted is answered or fails.
 *
 * <p>Thread: any.
 */
final class ForwardStream implements ClientResponseObserver<PeerFrame, PeerFrame> {
  /** The most bytes of requests without answer; one more may be larger than what is left. */
  static final long UNANSWERED_BYTES_MAX = 64L << 20;

  /** The most requests without answer. */
  static final int UNANSWERED_MAX = VerbStream.REQUESTS_MAX;

  /**
   * The silence after which the other node is given up; it is pinged more often. Longer than {@link
   * VerbStream#SILENCE_MAX}.
   */
  static final Duration SILENCE_MAX = Duration.ofSeconds(5);

  private final String address;
  private volatile long heardNanos = System.nanoTime();
  private final Map<Integer, PeerCall<?, ?>> calls = new LinkedHashMap<>();
  private final Queue<PeerFrame> unsent = new ArrayDeque<>();
  private @Nullable ClientCallStreamObserver<PeerFrame> requests;
  private long unansweredBytes;
  private int lastId;
  private boolean ready;
  private boolean ended;

  private ForwardStream(String address) {
    this.address = address;
  }

  static ForwardStream open(Channel channel, String address) {
    ForwardStream stream = new ForwardStream(address);
    ClientCalls.asyncBidiStreamingCall(
        channel.newCall(PeerMethods.VERBS, CallOptions.DEFAULT), stream);
    return stream;
  }

  /** A request that could not be sent because there is no connection. */
  static <I, O> PeerCall<I, O> unsent(Verb<I, O> verb, String address) {
    PeerCall<I, O> call = new PeerCall<>(new ForwardStream(address), verb, 0, 0);
    call.completeExceptionally(
        new PeerException("the node at " + address + " cannot be reached", false, null));
    return call;
  }

  @Override
  public synchronized void beforeStart(ClientCallStreamObserver<PeerFrame> stream) {
    requests = stream;
  }

  /** Sends a request; null if this stream has ended. */
  <I, O> @Nullable PeerCall<I, O> ask(Verb<I, O> verb, byte[] request) {
    PeerCall<I, O> call;
    synchronized (this) {
      if (ended) {
        return null;
      }
      call = new PeerCall<>(this, verb, ++lastId, request.length);
      if (calls.size() < UNANSWERED_MAX && unansweredBytes < UNANSWERED_BYTES_MAX) {
        calls.put(call.id(), call);
        unansweredBytes += request.length;
        send(new PeerFrame(verb.number(), call.id(), request));
        return call;
      }
    }
    call.answer(
        Result.refused(
            ErrorCode.OVERLOADED,
            "too many requests of this node wait for the leader of the cluster"));
    return call;
  }

  synchronized void stopWaiting(PeerCall<?, ?> call) {
    if (!ended && calls.containsKey(call.id())) {
      send(PeerFrame.of(PeerFrame.STOP_WAITING, call.id()));
    }
  }

  /** Holds the lock. */
  private void send(PeerFrame frame) {
    ClientCallStreamObserver<PeerFrame> open = requests;
    if (ready && open != null) {
      open.onNext(frame);
    } else {
      unsent.add(frame);
    }
  }

  @Override
  public void onNext(PeerFrame frame) {
    heardNanos = System.nanoTime();
    PeerCall<?, ?> call;
    synchronized (this) {
      if (frame.kind() == PeerFrame.READY) {
        ready = true;
        unsent.forEach(this::send);
        unsent.clear();
        return;
      }
      call = calls.remove(frame.id());
      if (call == null) {
        return;
      }
      unansweredBytes -= call.bytes();
    }
    call.answered(frame);
    if (frame.kind() == PeerFrame.ANSWERED && call.isPop()) {
      received(call);
    }
  }

  private synchronized void received(PeerCall<?, ?> pop) {
    if (!ended) {
      send(PeerFrame.of(PeerFrame.RECEIVED, pop.id()));
    }
  }

  @Override
  public void onError(Throwable failure) {
    end(failure.getMessage(), failure);
  }

  @Override
  public void onCompleted() {
    end("it has closed the connection", null);
  }

  /** Gives up all calls. */
  void abort(String why) {
    ClientCallStreamObserver<PeerFrame> open;
    synchronized (this) {
      open = requests;
    }
    end(why, null);
    if (open != null) {
      open.cancel(why, null);
    }
  }

  /** Gives up if the other node is silent; otherwise asks it for a sign of life. */
  void check() {
    if (System.nanoTime() - heardNanos > SILENCE_MAX.toNanos()) {
      abort("it was silent for " + SILENCE_MAX.toSeconds() + " seconds");
      return;
    }
    synchronized (this) {
      if (ready && !ended) {
        send(PeerFrame.of(PeerFrame.PING, 0));
      }
    }
  }

  synchronized boolean isEnded() {
    return ended;
  }

  private void end(@Nullable String why, @Nullable Throwable cause) {
    List<PeerCall<?, ?>> left;
    boolean sent;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      sent = ready;
      left = new ArrayList<>(calls.values());
      calls.clear();
      unsent.clear();
    }
    for (PeerCall<?, ?> call : left) {
      call.completeExceptionally(
          new PeerException(
              "the node at "
                  + address
                  + (sent ? " did not answer: " : " cannot be reached: ")
                  + why,
              sent,
              cause));
    }
  }
}
