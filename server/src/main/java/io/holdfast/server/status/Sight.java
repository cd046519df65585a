package io.holdfast.server.status;

import java.util.function.Predicate;

/** Which queues whoever asks may see. */
public interface Sight {
  /** All there are, and what is told of the broker as a whole. */
  Sight ALL =
      new Sight() {
        @Override
        public boolean isAll() {
          return true;
        }

        @Override
        public boolean covers(String queue) {
          return true;
        }
      };

  /** Only some queues, and nothing of the broker as a whole. */
  static Sight of(Predicate<String> covered) {
    return new Sight() {
      @Override
      public boolean isAll() {
        return false;
      }

      @Override
      public boolean covers(String queue) {
        return covered.test(queue);
      }
    };
  }

  boolean isAll();

  boolean covers(String queue);
}
