package io.holdfast.engine.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Batches that a test can recognize: batch n puts row n, with a value that depends on n. */
final class NumberedBatches {
  private final Random sizes;
  private int count;

  NumberedBatches(long seed) {
    this.sizes = new Random(seed);
  }

  int count() {
    return count;
  }

  /** Writes the next batch, with a value of up to so many bytes. */
  void write(Store store, int bytesMax, boolean sync) {
    byte[] value = new byte[Integer.BYTES + sizes.nextInt(bytesMax)];
    Arrays.fill(value, (byte) count);
    Tx tx = store.begin();
    tx.put(Tables.record(name(count)), value);
    store.write(tx, sync);
    count++;
  }

  private static String name(int number) {
    return String.format(Locale.ROOT, "row-%06d", number);
  }

  /**
   * How many batches are in the rows.
   *
   * @throws AssertionError if they are not the first ones, or one of them is not as it was written
   */
  static int countIn(View rows) {
    int count = 0;
    try (Rows found = rows.scan(Tables.start(Tables.RECORDS), Tables.end(Tables.RECORDS))) {
      while (found.next()) {
        if (!Arrays.equals(found.key(), Tables.record(name(count)))) {
          throw new AssertionError("row " + count + " is missing");
        }
        for (byte b : found.value()) {
          if (b != (byte) count) {
            throw new AssertionError("row " + count + " was changed");
          }
        }
        count++;
      }
    }
    return count;
  }

  /** What is wrong with a directory that nobody has open, and how many batches are in it. */
  static List<String> verify(Path directory, int atLeast) {
    try (ClosedStore closed = ClosedStore.at(directory)) {
      String damage = closed.open();
      List<String> wrong = new ArrayList<>(closed.checkFiles((done, all) -> {}));
      if (damage != null) {
        wrong.add(damage);
        return wrong;
      }
      try (Snapshot rows = closed.rows()) {
        int count = countIn(rows);
        if (count < atLeast) {
          throw new AssertionError("only " + count + " of " + atLeast + " batches are there");
        }
      } catch (StoreException unreadable) {
        wrong.add(String.valueOf(unreadable.getMessage()));
      }
      return wrong;
    }
  }
}
