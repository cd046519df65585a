package io.holdfast.server.status;

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

  boolean isAll();

  boolean covers(String queue);
}
