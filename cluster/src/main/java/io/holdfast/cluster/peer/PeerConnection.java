package io.holdfast.cluster.peer;

import io.holdfast.api.wire.Verb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.Context;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.jspecify.annotations.Nullable;

/**
 * The connection to another node, which is opened when it is needed.
 *
 * <p>Thread: any.
 */
public final class PeerConnection implements AutoCloseable {
  private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(3);

  /** An added node may have to fetch all data first. */
  private static final Duration CHANGE_TIMEOUT = Duration.ofMinutes(30);

  /** How many streams that end at once are opened for a request. */
  private static final int STREAMS_MAX = 3;

  /** The silence after which a node that sends a checkpoint is given up; it makes one first. */
  private static final Duration CHECKPOINT_SILENCE_MAX = Duration.ofMinutes(1);

  private final String address;
  private final ManagedChannel channel;
  private final Duration checkpointSilence;
  private @Nullable ForwardStream stream;
  private @Nullable Fetch fetch;
  private boolean closed;

  /** A checkpoint that is being copied. */
  private static final class Fetch {
    private final Context.CancellableContext context;
    private volatile long heardNanos = System.nanoTime();

    Fetch(Context.CancellableContext context) {
      this.context = context;
    }
  }

  /**
   * @param address host and port, for messages
   */
  public PeerConnection(String address, ManagedChannel channel) {
    this(address, channel, CHECKPOINT_SILENCE_MAX);
  }

  /** The same with another limit of silence, for tests. */
  PeerConnection(String address, ManagedChannel channel, Duration checkpointSilence) {
    this.address = address;
    this.channel = channel;
    this.checkpointSilence = checkpointSilence;
  }

  /** Asks the broker of the other node. */
  public <I, O> PeerCall<I, O> ask(Verb<I, O> verb, I request) {
    byte[] bytes = verb.requestBytes(request);
    for (int i = 0; i < STREAMS_MAX; i++) {
      ForwardStream open = stream();
      PeerCall<I, O> call = open == null ? null : open.ask(verb, bytes);
      if (call != null) {
        return call;
      }
    }
    return ForwardStream.unsent(verb, address);
  }

  private synchronized @Nullable ForwardStream stream() {
    if (closed) {
      return null;
    }
    ForwardStream open = stream;
    if (open == null || open.isEnded()) {
      // Otherwise a node that was away for long would be tried again only after minutes.
      channel.resetConnectBackoff();
      open = ForwardStream.open(channel, address);
      stream = open;
    }
    return open;
  }

  /** Gives up all requests to the broker of the other node, which has stopped leading. */
  public void abort(String why) {
    ForwardStream open;
    synchronized (this) {
      open = stream;
      stream = null;
    }
    if (open != null) {
      open.abort(why);
    }
  }

  /** Gives up all requests if the other node has been silent for too long, and pings it. */
  public void check() {
    ForwardStream open;
    Fetch copying;
    synchronized (this) {
      open = stream;
      copying = fetch;
    }
    if (open != null) {
      open.check();
    }
    if (copying != null && System.nanoTime() - copying.heardNanos > checkpointSilence.toNanos()) {
      copying.context.cancel(new IOException("the node at " + address + " is silent"));
    }
  }

  /**
   * Asks for the status of the other node.
   *
   * @throws PeerException if it does not answer soon
   */
  public NodeStatus status() throws PeerException {
    PeerFrame answer = call(PeerMethods.STATUS, PeerFrame.of(0, 0), STATUS_TIMEOUT);
    try {
      return NodeStatus.read(answer.body());
    } catch (IllegalArgumentException unreadable) {
      throw new PeerException(
          "the status of the node at " + address + " is unreadable", true, unreadable);
    }
  }

  /**
   * Asks the other node to change the members. Waits until it is done.
   *
   * @throws PeerException if that node does not do it; the message has its reason
   */
  public void change(MemberChange change) throws PeerException {
    PeerFrame answer =
        call(PeerMethods.CHANGE, new PeerFrame(0, 0, change.bytes()), CHANGE_TIMEOUT);
    if (answer.kind() != PeerFrame.ANSWERED) {
      throw new PeerException(new String(answer.body(), StandardCharsets.UTF_8), true, null);
    }
  }

  private PeerFrame call(
      org.apache.ratis.thirdparty.io.grpc.MethodDescriptor<PeerFrame, PeerFrame> method,
      PeerFrame request,
      Duration timeout)
      throws PeerException {
    try {
      channel.resetConnectBackoff();
      return ClientCalls.blockingUnaryCall(channel, method, options(timeout), request);
    } catch (StatusRuntimeException failed) {
      throw failure(failed);
    }
  }

  private static CallOptions options(Duration timeout) {
    return CallOptions.DEFAULT.withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  private PeerException failure(StatusRuntimeException failed) {
    return new PeerException(
        "the node at " + address + " did not answer: " + failed.getMessage(), true, failed);
  }

  /**
   * Copies the data of the other node into a new directory, which then would survive a power cut.
   *
   * @throws IOException if it cannot be copied; then nothing is left of it
   */
  public Path fetchCheckpoint(CheckpointDirectory incoming) throws IOException {
    Path target = incoming.next();
    try {
      channel.resetConnectBackoff();
      receive(target);
      return target;
    } catch (StatusRuntimeException failed) {
      CheckpointDirectory.delete(target);
      throw failure(failed);
    } catch (IOException failed) {
      CheckpointDirectory.delete(target);
      throw failed;
    }
  }

  private void receive(Path target) throws IOException {
    // The other node stops sending when the context ends.
    Context.CancellableContext context = Context.current().withCancellation();
    Context outer = context.attach();
    Fetch copying = new Fetch(context);
    synchronized (this) {
      fetch = copying;
    }
    try {
      Iterator<PeerFrame> frames =
          ClientCalls.blockingServerStreamingCall(
              channel, PeerMethods.CHECKPOINT, CallOptions.DEFAULT, PeerFrame.of(0, 0));
      CheckpointReceiver.store(noting(frames, copying), target);
    } finally {
      synchronized (this) {
        fetch = null;
      }
      context.detach(outer);
      context.cancel(null);
    }
  }

  private static Iterator<PeerFrame> noting(Iterator<PeerFrame> frames, Fetch copying) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        copying.heardNanos = System.nanoTime();
        return frames.hasNext();
      }

      @Override
      public PeerFrame next() {
        PeerFrame frame = frames.next();
        copying.heardNanos = System.nanoTime();
        return frame;
      }
    };
  }

  @Override
  public void close() {
    ForwardStream open;
    synchronized (this) {
      closed = true;
      open = stream;
    }
    if (open != null) {
      open.abort("this node is closing");
    }
    channel.shutdownNow();
  }
}
