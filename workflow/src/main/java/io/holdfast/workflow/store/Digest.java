package io.holdfast.workflow.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A short stand-in for an input, the same only for the same bytes. */
public final class Digest {
  private Digest() {}

  public static byte[] of(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
