package io.holdfast.server.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that large bodies of requests and answers may take together.
 *
 * <p>Small ones are not counted, so that they pass however many large ones there are.
 *
 * <p>Thread: any.
 */
public final class Room {
  /** What is not larger is small. */
  public static final int SMALL_BYTES = 16 * 1024;

  /** The share of the heap that bodies may take. */
  private static final int HEAP_SHARE = 16;

  private final long bytesMax;
  private final AtomicLong taken = new AtomicLong();

  public Room(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** As much as the heap allows, but enough for one body. */
  public static Room forBodies(int bodyBytesMax) {
    return new Room(Math.max(bodyBytesMax, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
  }

  /** What one call holds of the room. */
  public final class Share implements AutoCloseable {
    private long bytes;

    /**
     * Takes more.
     *
     * @throws Problem if there is no room
     */
    public void take(long more) {
      if (taken.addAndGet(more) > bytesMax) {
        taken.addAndGet(-more);
        throw Problem.overloaded("too many large requests and answers at once; try again shortly");
      }
      bytes += more;
    }

    /**
     * Takes room for an answer, unless it is small.
     *
     * @param done whether something was done that cannot be undone: whoever is told to try again
     *     does it again, so that is told even if there is no room
     * @throws Problem if there is no room
     */
    public void takeForAnswer(long answerBytes, boolean done) {
      if (answerBytes > SMALL_BYTES && done) {
        taken.addAndGet(answerBytes);
        bytes += answerBytes;
      } else if (answerBytes > SMALL_BYTES) {
        take(answerBytes);
      }
    }

    @Override
    public void close() {
      if (bytes > 0) {
        taken.addAndGet(-bytes);
        bytes = 0;
      }
    }
  }

  public Share share() {
    return new Share();
  }

  /** How much of it is taken. */
  public long taken() {
    return taken.get();
  }
}
