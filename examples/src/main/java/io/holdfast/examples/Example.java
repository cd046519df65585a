package io.holdfast.examples;

import io.holdfast.client.Holdfast;
import java.io.PrintStream;

/** A pattern as a program: it has queues of its own, says what it shows, and ends. */
@FunctionalInterface
public interface Example {
  void run(Holdfast holdfast, PrintStream out) throws Exception;
}
