package io.holdfast.bench.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one caller does with a broker, whether over HTTP or in the same process.
 *
 * <p>Thread: one at a time.
 */
interface Session extends AutoCloseable {
  /**
   * A leased message.
   *
   * @param ack what names it in an ack
   * @param text its payload without the quotes
   */
  record Held(Object ack, String text) {}

  /**
   * What a pop got.
   *
   * @param lease null if there was nothing
   */
  record Got(@Nullable String lease, List<Held> messages) {
    static final Got NOTHING = new Got(null, List.of());
  }

  /** Pushes messages and waits until all are acknowledged. */
  void push(String queue, String partition, List<byte[]> payloads);

  /** Leases messages, waiting for them if there are none. */
  Got pop(String queue, int batch, long waitMs);

  /** Acks each of the messages, and checks that each was. */
  void ack(Got got);

  @Override
  void close();
}
