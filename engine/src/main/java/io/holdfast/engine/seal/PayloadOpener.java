package io.holdfast.engine.seal;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.Seal;
import io.holdfast.engine.command.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * Opens the payloads of one answer.
 *
 * <p>Thread: one.
 */
public final class PayloadOpener {
  private final Keys keys;
  private @Nullable PayloadCipher cipher;
  private int keyId;

  public PayloadOpener(Keys keys) {
    this.keys = keys;
  }

  /** A stored message with its payload as it was pushed, or why there is no telling. */
  public Result<Message> open(Message stored) {
    Seal seal = stored.seal();
    if (seal == null) {
      return Result.ok(stored);
    }
    byte[] envelope = stored.payload();
    if (envelope.length < Envelope.OVERHEAD_BYTES || envelope[0] != Envelope.FORMAT) {
      return damaged(stored);
    }
    int id = Envelope.keyId(envelope, 0);
    PayloadCipher with = cipher(id);
    if (with == null) {
      return Result.refused(
          ErrorCode.KEY_MISSING,
          "The payload of message "
              + stored.id()
              + " is encrypted under key "
              + seal.keyId()
              + ", which the broker does not have: put that key back into its key file and start it"
              + " again.");
    }
    byte[] place =
        Place.of(stored.queue(), stored.partition(), stored.transactionId(), stored.headers());
    byte[] payload = with.open(envelope, place);
    return payload == null ? damaged(stored) : Result.ok(stored.payload(payload, seal));
  }

  /** The same for those who only look: without a payload if there is no telling, but with why. */
  public Message show(Message stored) {
    Seal seal = stored.seal();
    if (seal == null) {
      return stored;
    }
    Result<Message> opened = open(stored);
    return opened.isOk()
        ? opened.orThrow()
        : stored.payload(new byte[0], new Seal(seal.keyId(), opened.refusal().detail()));
  }

  private @Nullable PayloadCipher cipher(int id) {
    if (cipher == null || keyId != id) {
      Xaes key = keys.key(id);
      cipher = key == null ? null : new PayloadCipher(key);
      keyId = id;
    }
    return cipher;
  }

  private static Result<Message> damaged(Message stored) {
    return Result.refused(
        ErrorCode.DAMAGED,
        "The payload of message "
            + stored.id()
            + " in partition "
            + stored.partition()
            + " of queue "
            + stored.queue()
            + " is not what was stored: it was changed at rest, or its row was moved. It is kept"
            + " and not delivered; check the disk, restore a checkpoint, or cancel the message.");
  }
}
