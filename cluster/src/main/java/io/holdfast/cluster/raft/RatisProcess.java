package io.holdfast.cluster.raft;

import org.apache.ratis.util.ExitUtils;

/** What Ratis may do to the process: nothing. By itself it ends it after unexpected errors. */
final class RatisProcess {
  static {
    // The class of Ratis takes over the handler of all threads when it is loaded.
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.disableSystemExit();
    ExitUtils.setTerminateOnUncaughtException(false);
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  private RatisProcess() {}

  /** Takes effect before the first use of Ratis. */
  static void protect() {
    // The class is loaded by now.
  }
}
