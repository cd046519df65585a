package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;

/**
 * The directory of a store that no broker has open. No file of it is changed, and no broker can
 * open it meanwhile.
 *
 * <p>Thread: one; a platform thread.
 */
public final class ClosedStore implements AutoCloseable {
  private static final String LOCK = "LOCK";
  private static final String SORTED = ".sst";

  static {
    RocksDB.loadLibrary();
  }

  /** Hears how far a long check has come. */
  public interface Progress {
    void file(int done, int all);
  }

  private final Path path;
  private final @Nullable FileChannel lockFile;
  private final RocksSettings settings = new RocksSettings(RocksTuning.MODEST);
  private @Nullable RocksDB db;

  private ClosedStore(Path path, @Nullable FileChannel lockFile) {
    this.path = path;
    this.lockFile = lockFile;
  }

  /**
   * Takes a directory, without reading any rows.
   *
   * @throws StoreException if there is no store, or a broker has it open
   */
  public static ClosedStore at(Path path) {
    if (!Files.exists(path.resolve("CURRENT"))
        && !Files.exists(path.resolve(StoreDirectory.MARK))) {
      throw new StoreException("There is no store in " + path + ".", null);
    }
    if (OpenStores.has(path)) {
      throw RocksFailure.isOpen(path, null);
    }
    return new ClosedStore(path, lock(path));
  }

  /** Keeps others out; null if the store was never opened, as a checkpoint. */
  private static @Nullable FileChannel lock(Path path) {
    Path file = path.resolve(LOCK);
    if (!Files.exists(file)) {
      return null;
    }
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        throw RocksFailure.isOpen(path, null);
      }
      return channel;
    } catch (IOException e) {
      throw new StoreException("The store " + path + " cannot be used (" + e + ").", e);
    }
  }

  /** Checks the checksums of all sorted files; answers what is wrong, one line for each file. */
  public List<String> checkFiles(Progress progress) {
    List<Path> files = sortedFiles();
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      progress.file(i, files.size());
      String why = checkFile(files.get(i));
      if (why != null) {
        wrong.add("file " + files.get(i).getFileName() + ": it is damaged (" + why + ")");
      }
    }
    progress.file(files.size(), files.size());
    return wrong;
  }

  private List<Path> sortedFiles() {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(path, "*" + SORTED)) {
      all.forEach(files::add);
    } catch (IOException e) {
      throw new StoreException("The store " + path + " cannot be listed (" + e + ").", e);
    }
    files.sort(null);
    return files;
  }

  private @Nullable String checkFile(Path file) {
    try (SstFileReader reader = new SstFileReader(settings.options())) {
      reader.open(file.toString());
      reader.verifyChecksum();
      return null;
    } catch (RocksDBException e) {
      return RocksFailure.text(e);
    }
  }

  /**
   * Opens the rows, with what a log that was not yet worked in holds; answers what is wrong if they
   * are too damaged for that, and null if all is well.
   *
   * @throws StoreException if they are of a format that is not known
   */
  public @Nullable String open() {
    try {
      db = RocksDB.openReadOnly(settings.options(), path.toString());
    } catch (RocksDBException e) {
      return RocksFailure.ofOpen(path, e).getMessage();
    }
    byte[] format;
    try (Snapshot rows = rows()) {
      format = rows.get(Format.KEY);
    } catch (StoreException unreadable) {
      return unreadable.getMessage();
    }
    Format.check(path, format);
    return null;
  }

  /** The rows of a store that was opened. */
  public Snapshot rows() {
    RocksDB opened = db;
    if (opened == null) {
      throw new IllegalStateException("the store " + path + " was not opened");
    }
    return RocksView.ofThisMoment(opened);
  }

  @Override
  public void close() {
    if (db != null) {
      db.close();
    }
    settings.close();
    if (lockFile != null) {
      try {
        lockFile.close();
      } catch (IOException e) {
        throw new StoreException("The lock of " + path + " could not be let go (" + e + ").", e);
      }
    }
  }
}
