package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What only the owner of a store can do with it. A served broker that is one too is looked after
 * over HTTP.
 *
 * <p>Thread: any.
 */
public interface Upkeep {
  /** Of a broker that nobody here owns. */
  Upkeep NONE =
      new Upkeep() {
        @Override
        public Result<Checkpoint> checkpoint(@Nullable String name) {
          return refused();
        }

        @Override
        public Result<List<Checkpoint>> checkpoints() {
          return refused();
        }

        private <T> Result<T> refused() {
          return Result.refused(
              ErrorCode.UNSUPPORTED, "this server does not own the data of its broker");
        }
      };

  /**
   * A copy of all data as it was at one moment.
   *
   * @param directory where it is, on the machine of the broker
   * @param bytes the size of its files, which may share space with those of the store
   * @param madeMs when it was whole
   */
  record Checkpoint(String name, String directory, long bytes, long madeMs) {}

  /**
   * Makes a checkpoint: all that was acknowledged before is in it.
   *
   * @param name one part of a path; null for one that tells the time
   */
  Result<Checkpoint> checkpoint(@Nullable String name);

  /** The checkpoints that are there, oldest first. */
  Result<List<Checkpoint>> checkpoints();

  /** The upkeep of a broker. */
  static Upkeep of(Broker broker) {
    return broker instanceof Upkeep upkeep ? upkeep : NONE;
  }
}
