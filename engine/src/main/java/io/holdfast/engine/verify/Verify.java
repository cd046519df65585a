package io.holdfast.engine.verify;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.message.Message;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.logic.StateReader;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.seal.PayloadOpener;
import io.holdfast.engine.store.ClosedStore;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.StoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A look at the data directory of a broker that does not run: whether its files are whole, every
 * row can be read and keeps what {@link Invariants} say, and a broker could open it. No file is
 * changed.
 */
public final class Verify {
  private Verify() {}

  /** Hears how far it has come; called often. */
  public interface Progress {
    /** So many of all files were read. */
    void files(int done, int all);

    /** So many rows of a table were read. */
    void rows(String table, long done);
  }

  private static final Progress SILENT =
      new Progress() {
        @Override
        public void files(int done, int all) {}

        @Override
        public void rows(String table, long done) {}
      };

  /**
   * What was found.
   *
   * @param files how many sorted files were read
   * @param rows how many rows each table has, by its name
   * @param messages how many messages lie in lanes
   * @param sealed how many payloads are encrypted, by the id of their key; that of a dead letter is
   *     stored twice while its lane keeps it
   * @param violations what is wrong, in words; the first ones only
   * @param count how much is wrong in all
   */
  public record Report(
      int files,
      Map<String, Long> rows,
      long messages,
      Map<String, Long> sealed,
      List<String> violations,
      long count) {
    public boolean isSound() {
      return count == 0;
    }
  }

  /** Looks at a data directory, and not at what is encrypted. */
  public static Report directory(Path directory) {
    return directory(directory, Keys.NONE, SILENT);
  }

  /**
   * Looks at a data directory.
   *
   * @param keys if there are some, every encrypted payload has to open with them
   * @throws StoreException if there is no store, if it is open elsewhere, or of a format that this
   *     version does not know
   */
  public static Report directory(Path directory, Keys keys, Progress progress) {
    try (ClosedStore store = ClosedStore.at(directory)) {
      String damage = store.open();
      int[] files = {0};
      List<String> violations =
          new ArrayList<>(
              store.checkFiles(
                  (done, all) -> {
                    files[0] = all;
                    progress.files(done, all);
                  }));
      if (damage != null) {
        violations.addFirst(damage);
        return new Report(
            files[0], Map.of(), 0, Map.of(), List.copyOf(violations), violations.size());
      }
      return rows(store, files[0], violations, new Watch(keys, progress));
    }
  }

  private static Report rows(ClosedStore store, int files, List<String> violations, Watch watch) {
    try (Snapshot rows = store.rows()) {
      StateReader.checkFormat(rows);
      Invariants.Report found = Invariants.check(rows, watch);
      long count = violations.size() + found.count();
      violations.addAll(found.violations());
      String unopened = unopened(rows);
      if (unopened != null) {
        violations.add(unopened);
        count++;
      }
      return new Report(
          files, found.rows(), found.messages(), found.sealed(), List.copyOf(violations), count);
    }
  }

  private static @Nullable String unopened(Snapshot rows) {
    try {
      StateReader.read(rows, 0, FormatLevels.KNOWN);
      return null;
    } catch (RuntimeException unreadable) {
      return "a broker could not open it: " + unreadable.getMessage();
    }
  }

  /** Opens what is encrypted, and passes on how far the rows are read. */
  private static final class Watch implements Invariants.Watcher {
    private final Keys keys;
    private final PayloadOpener opener;
    private final Progress progress;

    Watch(Keys keys, Progress progress) {
      this.keys = keys;
      this.opener = new PayloadOpener(keys);
      this.progress = progress;
    }

    @Override
    public void row(String table, long rows) {
      progress.rows(table, rows);
    }

    @Override
    public @Nullable String sealed(Message stored) {
      if (keys.isEmpty()) {
        return null;
      }
      Result<Message> opened = opener.open(stored);
      if (opened.isOk()) {
        return null;
      }
      boolean missing = opened.refusal().code() == ErrorCode.KEY_MISSING;
      return "message "
          + stored.id()
          + (missing ? " is encrypted under a key that was not given" : " was changed at rest");
    }
  }
}
