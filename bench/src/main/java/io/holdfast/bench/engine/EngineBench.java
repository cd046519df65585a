package io.holdfast.bench.engine;

/** One measurement of the engine, or of what it stands on. */
interface EngineBench {
  /** The name of its figure. */
  String name();

  /** Measures, in a directory of its own. */
  Measured run(Setting setting) throws InterruptedException;

  /**
   * What came out.
   *
   * @param rate acknowledged things per second
   * @param note what one must know to read it; empty for nothing
   */
  record Measured(double rate, String unit, String note) {
    static final String MESSAGES = "messages/s";

    static Measured messages(double rate, String note) {
      return new Measured(rate, MESSAGES, note);
    }
  }
}
