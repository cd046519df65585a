package io.holdfast.api.wire;

import io.holdfast.api.Refusal;

/**
 * The frames in which many requests share one connection, answered in any order.
 *
 * <pre>
 *   length (4 bytes) | kind (1 byte) | id (4 bytes) | body
 * </pre>
 *
 * The length counts the bytes after it; numbers are big-endian. {@code docs/wire.md} describes the
 * protocol.
 */
public final class Frames {
  /** Where a connection is upgraded from HTTP/1.1. */
  public static final String PATH = "/api/v1/frames";

  /** The name of the protocol, in the header {@code Upgrade}. */
  public static final String PROTOCOL = "holdfast-frames/1";

  /** The size of the length, which comes first and does not count itself. */
  public static final int LENGTH_BYTES = 4;

  /** The size of kind and id, which the length counts. */
  public static final int HEAD_BYTES = 5;

  /** The most requests of a connection that may await their answers. */
  public static final int REQUESTS_MAX = 1_000;

  /** The most bytes of such requests, beyond a single one. */
  public static final int REQUEST_BYTES_MAX = 32 << 20;

  /** The kind of a frame that ends the wait of an earlier request; others have a verb's number. */
  public static final int STOP_WAITING = 0;

  /** The kind of an answer whose body is the answer of the verb. */
  public static final int ANSWERED = 0;

  /** The kind of an answer whose body is a {@link Refusal}. */
  public static final int REFUSED = 1;

  /** The kind of an answer whose body is an HTTP status (2 bytes) and a problem in JSON. */
  public static final int PROBLEM = 2;

  /** The kind of a frame by which a server takes no more requests; its id is 0, it has no body. */
  public static final int CLOSING = 3;

  private static final int KIND_AT = LENGTH_BYTES;
  private static final int ID_AT = KIND_AT + 1;
  private static final int BODY_AT = LENGTH_BYTES + HEAD_BYTES;

  private Frames() {}

  /** A request; {@link #setId} gives it its id. */
  public static <I> byte[] request(Verb<I, ?> verb, I asked) {
    return frame(verb.number(), 0, verb.requestCodec(), asked);
  }

  public static byte[] stopWaiting(int id) {
    return frame(STOP_WAITING, id, new byte[0]);
  }

  public static <O> byte[] answer(Verb<?, O> verb, int id, O answered) {
    return frame(ANSWERED, id, verb.answerCodec(), answered);
  }

  public static byte[] refusal(int id, Refusal why) {
    return frame(REFUSED, id, Verbs.REFUSAL, why);
  }

  public static byte[] problem(int id, int status, byte[] json) {
    byte[] body = new byte[2 + json.length];
    body[0] = (byte) (status >>> 8);
    body[1] = (byte) status;
    System.arraycopy(json, 0, body, 2, json.length);
    return frame(PROBLEM, id, body);
  }

  public static byte[] closing() {
    return frame(CLOSING, 0, new byte[0]);
  }

  public static void setId(byte[] frame, int id) {
    setNumber(frame, ID_AT, id);
  }

  private static <T> byte[] frame(int kind, int id, Codec<T> codec, T value) {
    WireOut out = new WireOut();
    out.skip(BODY_AT);
    codec.write(out, value);
    return head(out.done(), kind, id);
  }

  private static byte[] frame(int kind, int id, byte[] body) {
    byte[] frame = new byte[BODY_AT + body.length];
    System.arraycopy(body, 0, frame, BODY_AT, body.length);
    return head(frame, kind, id);
  }

  private static byte[] head(byte[] frame, int kind, int id) {
    setNumber(frame, 0, frame.length - LENGTH_BYTES);
    frame[KIND_AT] = (byte) kind;
    setId(frame, id);
    return frame;
  }

  private static void setNumber(byte[] frame, int at, int value) {
    frame[at] = (byte) (value >>> 24);
    frame[at + 1] = (byte) (value >>> 16);
    frame[at + 2] = (byte) (value >>> 8);
    frame[at + 3] = (byte) value;
  }
}
