package io.holdfast.cluster.peer;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.apache.ratis.thirdparty.io.grpc.BindableService;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCallStreamObserver;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/**
 * What this node answers to other nodes of the cluster: forwarded verbs, its status, operations and
 * checkpoints.
 *
 * <p>Thread: any.
 */
public final class PeerServer implements BindableService, AutoCloseable {
  private final PeerHost host;
  private final CheckpointSender checkpoints;
  private final Set<VerbStream> streams = ConcurrentHashMap.newKeySet();
  private final Semaphore blocking = new Semaphore(VerbStream.BLOCKING_MAX);

  /**
   * @param outgoing where checkpoints are made; leftovers in it are deleted
   */
  public PeerServer(PeerHost host, CheckpointDirectory outgoing) {
    this.host = host;
    this.checkpoints = new CheckpointSender(host, outgoing);
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(PeerMethods.SERVICE)
        .addMethod(
            PeerMethods.VERBS,
            ServerCalls.asyncBidiStreamingCall(
                answers -> verbs((ServerCallStreamObserver<PeerFrame>) answers)))
        .addMethod(
            PeerMethods.STATUS, ServerCalls.asyncUnaryCall((request, answer) -> status(answer)))
        .addMethod(PeerMethods.CHANGE, ServerCalls.asyncUnaryCall(this::change))
        .addMethod(
            PeerMethods.CHECKPOINT,
            ServerCalls.asyncServerStreamingCall(
                (request, frames) ->
                    checkpoints.send((ServerCallStreamObserver<PeerFrame>) frames)))
        .build();
  }

  private VerbStream verbs(ServerCallStreamObserver<PeerFrame> answers) {
    streams.removeIf(VerbStream::hasEnded);
    VerbStream stream = new VerbStream(host.broker(), blocking, answers);
    streams.add(stream);
    return stream;
  }

  /** Gives up nodes that have been silent for too long; called every second or so. */
  public void check() {
    streams.forEach(VerbStream::check);
    streams.removeIf(VerbStream::hasEnded);
  }

  private void status(StreamObserver<PeerFrame> answer) {
    answer.onNext(new PeerFrame(PeerFrame.ANSWERED, 0, host.status().bytes()));
    answer.onCompleted();
  }

  /** The answer is sent in the action; nothing else depends on it. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void change(PeerFrame request, StreamObserver<PeerFrame> answer) {
    MemberChange change;
    try {
      change = MemberChange.read(request.body());
    } catch (IllegalArgumentException unknown) {
      answer.onError(
          Status.INVALID_ARGUMENT.withDescription(unknown.getMessage()).asRuntimeException());
      return;
    }
    host.change(change)
        .whenComplete(
            (done, failure) -> {
              answer.onNext(outcome(failure));
              answer.onCompleted();
            });
  }

  private static PeerFrame outcome(@Nullable Throwable failure) {
    if (failure == null) {
      return PeerFrame.of(PeerFrame.ANSWERED, 0);
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String text = String.valueOf(cause.getMessage());
    return new PeerFrame(PeerFrame.FAILED, 0, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Ends the transfers of checkpoints; the port is the owner's. */
  @Override
  public void close() {
    checkpoints.close();
  }
}
