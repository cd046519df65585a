package io.holdfast.server.http;

import java.util.function.Supplier;

/** What a caller was let in with. */
public interface Pass {
  /** Of those who were not let in: nothing is done in their name. */
  Pass NOBODY =
      new Pass() {
        @Override
        public <T> T as(Supplier<T> act) {
          throw new IllegalStateException("somebody who was not let in would do something");
        }

        @Override
        public boolean isGood() {
          return false;
        }
      };

  /** Does something in the name of the caller. */
  <T> T as(Supplier<T> act);

  /** The same. */
  default void run(Runnable act) {
    as(
        () -> {
          act.run();
          return true;
        });
  }

  /** By what one caller is told from others; empty if all are the same. */
  default String name() {
    return "";
  }

  /** Whether the caller would still be let in. */
  boolean isGood();
}
