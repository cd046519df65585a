package io.holdfast.bench.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one caller does with a broker, whether over HTTP or in the same process.
 *
 * <p>Thread: one at a time.
 */
public interface Session extends AutoCloseable {
  /**
   * A leased message.
   *
   * @param ack what names it in an ack
   * @param text its payload without the quotes
   */
  record Held(Object ack, String text) {
    /** A message of a payload as it was pushed. */
    public static Held of(Object ack, byte[] payload) {
      return new Held(ack, new String(payload, 1, payload.length - 2, ISO_8859_1));
    }
  }

  /**
   * What a pop got.
   *
   * @param lease null if there was nothing
   */
  record Got(@Nullable String lease, List<Held> messages) {
    public static final Got NOTHING = new Got(null, List.of());
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
