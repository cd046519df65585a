package io.holdfast.engine;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import java.nio.file.Path;
import java.util.List;

/** Makes checkpoints of brokers that are far ahead in the log. */
final class LaterCheckpoint {
  private LaterCheckpoint() {}

  /** What the other broker is asked to do. */
  interface Filling {
    void fill(Broker other);
  }

  /**
   * Makes a checkpoint of a new broker.
   *
   * @param data the directory of that broker; the checkpoint is beside it
   * @param position the position that the checkpoint contains
   */
  static Path make(Path data, LogPosition position, TimeSource time, Filling filling) {
    try (EmbeddedBroker other = EmbeddedBroker.open(EngineConfig.at(data), time)) {
      filling.fill(other);
    }
    Path checkpoint = data.resolveSibling(data.getFileName() + ".checkpoint");
    try (RocksStore store = RocksStore.open(data, RocksTuning.MODEST)) {
      Applier applier =
          new Applier(
              store, 0, Durability.FSYNC, effects -> {}, () -> {}, FormatLevels.KNOWN, true);
      Batch batch = applier.begin();
      applier.apply(position, new Entry(FormatLevels.KNOWN.newest(), List.of()), batch);
      applier.finish(batch);
      store.write(batch.tx, true);
      store.checkpoint(checkpoint);
    }
    return checkpoint;
  }
}
