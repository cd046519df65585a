package io.holdfast.engine.seal;

import io.holdfast.api.message.NewMessage;
import io.holdfast.engine.command.Envelope;
import io.holdfast.engine.command.Sealer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Seals the payloads of one request under the current key.
 *
 * <p>Thread: one.
 */
public final class PayloadSealer implements Sealer {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Keys keys;
  private final Predicate<String> queues;
  private final byte[] nonce = new byte[Envelope.NONCE_BYTES];
  private final byte[] suffix = new byte[Envelope.NONCE_BYTES - Xaes.PREFIX_BYTES];
  private @Nullable PayloadCipher cipher;

  /** A sealer for messages to queues of these names; there must be a key. */
  public PayloadSealer(Keys keys, Predicate<String> queues) {
    this.keys = keys;
    this.queues = queues;
  }

  @Override
  public byte @Nullable [] seal(NewMessage message) {
    if (!queues.test(message.queue())) {
      return null;
    }
    PayloadCipher with = cipher;
    if (with == null) {
      // All messages of a request share the derived key; the rest of the nonce tells them apart.
      RANDOM.nextBytes(nonce);
      with = new PayloadCipher(Objects.requireNonNull(keys.key(keys.current())));
      cipher = with;
    } else {
      RANDOM.nextBytes(suffix);
      System.arraycopy(suffix, 0, nonce, Xaes.PREFIX_BYTES, suffix.length);
    }
    byte[] place =
        Place.of(message.queue(), message.partition(), message.transactionId(), message.headers());
    return with.seal(keys.current(), Arrays.copyOf(nonce, nonce.length), place, message.payload());
  }
}
