package io.holdfast.client.remote;

import io.holdfast.api.wire.Frames;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to send a request.
 *
 * @param frame the request as a frame, used by no other attempt
 * @param waitMs how long the server may wait before it answers
 * @param answerMs how long the answer may take beyond that
 */
record SentRequest(byte[] frame, long waitMs, long answerMs) {
  /** The request without the head of its frame. */
  byte[] body() {
    return Arrays.copyOfRange(frame, Frames.LENGTH_BYTES + Frames.HEAD_BYTES, frame.length);
  }

  PendingCall call(PendingCall.Listener listener, @Nullable Thread waiter) {
    return new PendingCall(frame, waitMs, answerMs, listener, waiter);
  }
}
