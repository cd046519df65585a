package io.holdfast.cluster.peer;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Result;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import java.nio.charset.StandardCharsets;

/**
 * A request that another node was asked. It fails with a {@link PeerException} if that does not
 * answer.
 *
 * <p>Thread: any.
 */
public final class PeerCall<I, O> extends AsyncResult<O> {
  private final ForwardStream stream;
  private final Verb<I, O> verb;
  private final int id;
  private final int bytes;

  PeerCall(ForwardStream stream, Verb<I, O> verb, int id, int bytes) {
    this.stream = stream;
    this.verb = verb;
    this.id = id;
    this.bytes = bytes;
  }

  int id() {
    return id;
  }

  /** The size of its request. */
  int bytes() {
    return bytes;
  }

  /** Whether the other node gives back an answer of which it does not hear that it arrived. */
  boolean isPop() {
    return verb == Verbs.POP;
  }

  void answered(PeerFrame frame) {
    try {
      switch (frame.kind()) {
        case PeerFrame.ANSWERED -> answer(Result.ok(verb.answer(frame.body())));
        case PeerFrame.REFUSED -> answer(Result.refused(Verbs.refusal(frame.body())));
        case PeerFrame.INVALID ->
            completeExceptionally(
                new InvalidArgumentException(new String(frame.body(), StandardCharsets.UTF_8)));
        default -> failed(new String(frame.body(), StandardCharsets.UTF_8));
      }
    } catch (IllegalArgumentException unreadable) {
      failed(String.valueOf(unreadable.getMessage()));
    }
  }

  private void failed(String why) {
    completeExceptionally(
        new PeerException(verb + ": the other node could not answer: " + why, true, null));
  }

  @Override
  public void stopWaiting() {
    stream.stopWaiting(this);
  }
}
