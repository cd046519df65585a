package io.holdfast.engine.seal;

import io.holdfast.engine.command.Envelope;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals and opens payloads under one key.
 *
 * <p>Thread: one.
 */
final class PayloadCipher {
  private static final int TAG_BITS = 8 * Envelope.TAG_BYTES;

  private final Xaes key;
  private final Cipher gcm;
  private final byte[] prefix = new byte[Xaes.PREFIX_BYTES];

  /** The key for nonces that begin with {@code prefix}. */
  private @Nullable SecretKey derived;

  PayloadCipher(Xaes key) {
    this.key = key;
    try {
      this.gcm = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-GCM", e);
    }
  }

  /**
   * The envelope of a payload.
   *
   * @param nonce never used before with this key
   * @param place where the payload belongs: it can be opened only there
   */
  byte[] seal(int keyId, byte[] nonce, byte[] place, byte[] payload) {
    byte[] envelope = new byte[Envelope.OVERHEAD_BYTES + payload.length];
    ByteBuffer.wrap(envelope).put((byte) Envelope.FORMAT).putInt(keyId).put(nonce);
    try {
      begin(Cipher.ENCRYPT_MODE, envelope, place);
      gcm.doFinal(payload, 0, payload.length, envelope, Envelope.BODY_AT);
      return envelope;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a payload could not be encrypted", e);
    }
  }

  /** The payload of an envelope; null if it was sealed otherwise, or elsewhere. */
  byte @Nullable [] open(byte[] envelope, byte[] place) {
    try {
      begin(Cipher.DECRYPT_MODE, envelope, place);
      return gcm.doFinal(envelope, Envelope.BODY_AT, envelope.length - Envelope.BODY_AT);
    } catch (AEADBadTagException changed) {
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a payload could not be decrypted", e);
    }
  }

  private void begin(int mode, byte[] envelope, byte[] place) throws GeneralSecurityException {
    int rest = Envelope.NONCE_AT + Xaes.PREFIX_BYTES;
    SecretKey with = derived;
    if (with == null
        || !Arrays.equals(prefix, 0, prefix.length, envelope, Envelope.NONCE_AT, rest)) {
      System.arraycopy(envelope, Envelope.NONCE_AT, prefix, 0, prefix.length);
      with = key.derived(prefix, 0);
      derived = with;
    }
    gcm.init(mode, with, new GCMParameterSpec(TAG_BITS, envelope, rest, Envelope.BODY_AT - rest));
    gcm.updateAAD(envelope, 0, Envelope.NONCE_AT);
    gcm.updateAAD(place);
  }
}
