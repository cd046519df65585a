package io.holdfast.engine.command;

import org.jspecify.annotations.Nullable;

/** Bytes that are not an entry, or not one that this version understands. */
public final class MalformedEntryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedEntryException(String what, @Nullable Throwable cause) {
    super(
        "An entry is malformed: "
            + what
            + ". If a newer version of Holdfast wrote it, run that version; otherwise it is damaged.",
        cause);
  }
}
