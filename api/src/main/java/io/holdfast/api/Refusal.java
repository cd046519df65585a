package io.holdfast.api;

import java.io.Serializable;

/**
 * A refusal as a value: a code for programs and a sentence for people.
 *
 * @param operation which operation of a commit was refused, counted from 0; -1 if the whole was
 */
public record Refusal(ErrorCode code, String detail, int operation) implements Serializable {
  private static final long serialVersionUID = 1L;

  public static Refusal of(ErrorCode code, String detail) {
    return new Refusal(code, detail, -1);
  }

  /** The same refusal, blamed on one operation of a commit. */
  public Refusal at(int index) {
    return new Refusal(code, detail, index);
  }
}
