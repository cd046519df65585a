package io.holdfast.engine.store;

import java.nio.file.Path;

/** Errors that name the damaged file of a store, the offset, and what to do. */
final class StoreDamage {
  static final String RESTORE =
      "Check the disk, then restore the store from a checkpoint; ./holdfast verify lists all"
          + " damage.";

  private StoreDamage() {}

  static StoreException ofFile(Path directory, String name, String why) {
    return new StoreException(
        "The file "
            + name
            + " of the store "
            + directory
            + " is damaged: "
            + why
            + ". The store was not opened, because acknowledged messages could be missing. "
            + RESTORE,
        null);
  }

  /** A place in a file that should have been whole up to a further one. */
  static StoreException ofLog(
      Path directory, String name, LogRecords.Scan scan, String shouldBeWhole) {
    return ofFile(
        directory,
        name,
        scan.damage()
            + " at byte "
            + scan.damagedAt()
            + " of "
            + scan.size()
            + ", "
            + shouldBeWhole);
  }
}
