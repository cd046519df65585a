package io.holdfast.engine.command;

import io.holdfast.api.message.NewMessage;
import org.jspecify.annotations.Nullable;

/** Seals payloads before a command is made of them. */
public interface Sealer {
  /** Leaves every payload as it is. */
  Sealer NONE = message -> null;

  /** The {@link Envelope} of a message's payload; null if the payload is to stay as it is. */
  byte @Nullable [] seal(NewMessage message);
}
