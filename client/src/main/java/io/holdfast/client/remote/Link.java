package io.holdfast.client.remote;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes of a connection, in the clear or under TLS. No method blocks but {@link #await}.
 *
 * <p>Thread: one reads, one writes and one awaits at a time; {@link #wakeUp} and {@link #close}
 * any.
 */
interface Link extends Closeable {
  /** Reads what has come; 0 if nothing has, -1 at the end. */
  int read(ByteBuffer into) throws IOException;

  /**
   * Writes what can be written now. Bytes that are taken from the buffer may have been sent, others
   * were not.
   *
   * @return whether everything was sent; otherwise call it again when the connection is writable
   */
  boolean write(ByteBuffer from) throws IOException;

  /**
   * Waits until there is something to read, or until it can be written to if that is asked for. It
   * returns early for {@link #wakeUp}, for an interrupt of the thread, and for no reason.
   */
  void await(boolean alsoWritable, long deadlineNanos) throws IOException;

  /** Ends the current {@link #await}, or the next one. */
  void wakeUp();

  @Override
  void close();
}
