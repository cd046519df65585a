package io.holdfast.cluster.peer;

/**
 * One message between two nodes.
 *
 * @param kind what it is; of a request to a broker, the number of its verb
 * @param id the call that it belongs to; the same for a request and its answer
 * @param body the rest, which nobody changes afterwards
 */
record PeerFrame(int kind, int id, byte[] body) {
  // From the node that asks

  /** Ends the wait of an earlier request; other kinds up to 200 are numbers of verbs. */
  static final int STOP_WAITING = 0;

  /** The answer of a pop has arrived; without it, its messages are released in the end. */
  static final int RECEIVED = 201;

  /** Asks for a sign of life. */
  static final int PING = 202;

  // From the node that answers

  /** The body is the answer of the verb. */
  static final int ANSWERED = 0;

  /** The body is a refusal. */
  static final int REFUSED = 1;

  /** The request could not be carried out because of a fault; the body is a text. */
  static final int FAILED = 2;

  /** The request has a wrong value; the body is a text. */
  static final int INVALID = 5;

  /** Requests are taken from here on. */
  static final int READY = 3;

  /** A sign of life. */
  static final int ALIVE = 4;

  // In a checkpoint

  /** A file begins; the body is its length and its name. */
  static final int FILE = 1;

  /** The next bytes of the file. */
  static final int CHUNK = 2;

  /** The file ends; the body is the checksum of its bytes. */
  static final int FILE_END = 3;

  /** The checkpoint is complete; the body is its position and the number of its files. */
  static final int END = 4;

  private static final byte[] NOTHING = new byte[0];

  static PeerFrame of(int kind, int id) {
    return new PeerFrame(kind, id, NOTHING);
  }
}
