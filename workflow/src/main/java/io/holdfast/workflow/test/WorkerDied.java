package io.holdfast.workflow.test;

/** Thrown to a worker that a test has made die: the broker has no answers for it any more. */
final class WorkerDied extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WorkerDied(String how) {
    super("the test made this worker die (" + how + ")", null, false, false);
  }
}
