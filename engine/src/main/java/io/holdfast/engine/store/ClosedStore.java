package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private static final String SORTED = ".sst";

  static {
    RocksDB.loadLibrary();
  }

  /** Hears how far a long check has come. */
  public interface Progress {
    void file(int done, int all);
  }

  private final Path path;
  private final DirectoryLock lock;
  private final RocksSettings settings = new RocksSettings(RocksTuning.MODEST);
  private @Nullable RocksDB db;
  private @Nullable Path copy;

  private ClosedStore(Path path, DirectoryLock lock) {
    this.path = path;
    this.lock = lock;
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
    return new ClosedStore(path, DirectoryLock.take(path));
  }

  /**
   * Checks the checksums of sorted files; returns what is wrong, one line for each file. A process
   * that was killed while it wrote one leaves a part of it that nothing refers to: if the rows were
   * opened, only the files that they are in are checked.
   */
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
    RocksDB opened = db;
    if (opened != null) {
      wrong.addAll(checkBlobFiles(opened));
    }
    return wrong;
  }

  private List<String> checkBlobFiles(RocksDB opened) {
    try {
      return BlobFiles.damaged(opened, path).stream()
          .map(file -> "file " + file.name() + ": it is damaged (" + file.why() + ")")
          .toList();
    } catch (RocksDBException e) {
      return List.of("the list of files cannot be read (" + RocksFailure.text(e) + ")");
    }
  }

  private List<Path> sortedFiles() {
    RocksDB opened = db;
    if (opened != null) {
      return opened.getLiveFilesMetaData().stream()
          .map(file -> path.resolve(file.fileName().replaceFirst("^/", "")))
          .sorted()
          .toList();
    }
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
   * Opens the rows, with the batches that are only in the log; returns what is wrong if they are
   * too damaged for that, and null if all is well.
   *
   * @throws StoreException if they are of a format that is not known
   */
  public @Nullable String open() {
    String interrupted = StoreReplacement.interruption(path);
    if (interrupted != null) {
      return interrupted;
    }
    LogCheck log;
    try {
      log = LogCheck.of(path);
    } catch (StoreException damaged) {
      return damaged.getMessage();
    }
    try {
      db = RocksDB.openReadOnly(settings.options(), (log.isTorn() ? untorn(log) : path).toString());
    } catch (RocksDBException e) {
      String damage = String.valueOf(RocksFailure.ofOpen(path, e).getMessage());
      return copy == null ? damage : damage.replace(copy.toString(), path.toString());
    } catch (IOException e) {
      throw new StoreException(
          "The end of the log is torn, as a power cut leaves it, and no copy without that could be"
              + " made ("
              + e
              + "). Make room in the directory for temporary files.",
          e);
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

  /** A directory beside, as a broker would make of this one when it opens it. */
  private Path untorn(LogCheck log) throws IOException {
    Path made = Files.createTempDirectory("holdfast-verify");
    copy = made;
    log.copyTo(made);
    return made;
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
    if (copy != null) {
      StoreDirectory.remove(copy);
    }
    lock.close();
  }
}
