package io.holdfast.bench.engine;

import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.bench.BenchDirectory;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The circumstances of a measurement.
 *
 * @param root where each bench gets a directory of its own
 * @param durability what an answer promises
 * @param measuredMs how long each bench is measured
 */
record Setting(Path root, Durability durability, long measuredMs) {
  static final String QUEUE = "bench";

  /** How long each bench runs before it is measured. */
  long warmUpMs() {
    return Math.max(500, measuredMs / 2);
  }

  String durabilityName() {
    return durability.name().toLowerCase(Locale.ROOT);
  }

  /** A new and empty directory. */
  Path fresh(String name) {
    Path directory = root.resolve(name);
    try {
      if (Files.exists(directory)) {
        BenchDirectory.delete(directory);
      }
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + directory, e);
    }
  }

  /** A new broker with one queue, {@link #QUEUE}, that holds nothing. */
  EmbeddedBroker open(String name, String delivery) {
    EmbeddedBroker broker =
        EmbeddedBroker.open(EngineConfig.at(fresh(name)).durability(durability));
    broker.configure(ConfigureRequest.queue(QUEUE).set(QueueOption.DELIVERY, delivery)).orThrow();
    return broker;
  }
}
