package io.holdfast.cli;

import io.holdfast.cli.terminal.Text;
import io.holdfast.server.http.JsonOut;
import java.util.function.Supplier;

/**
 * What a command has to tell: for programs, and for people.
 *
 * @param exit what the command exits with
 */
record Told(Supplier<JsonOut> json, Supplier<Text> text, int exit) {
  static Told of(Supplier<JsonOut> json, Supplier<Text> text) {
    return new Told(json, text, Exit.DONE);
  }

  /** The same, but it was not all well. */
  Told exit(int code) {
    return new Told(json, text, code);
  }
}
