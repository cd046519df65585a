package io.holdfast.bench.peers;

import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.http.Session;

/**
 * A running message system with nothing but the queues of this run, in a process of its own.
 *
 * <p>Thread: sessions belong to one caller each; everything else is called by one thread.
 */
public interface Peer extends AutoCloseable {
  /** Opens what one caller uses, shared as the users of this system share it. */
  Session session();

  /** Creates a queue that one group of consumers receives from. */
  void createQueue(String queue);

  void deleteQueue(String queue);

  /** How many messages of a queue have not been acknowledged by a consumer. */
  long unacked(String queue);

  /** The process of the server. */
  ChildProcess process();

  /** Closes connections and stops the server. */
  @Override
  void close();
}
