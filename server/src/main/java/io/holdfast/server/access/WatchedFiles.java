package io.holdfast.server.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Files that are read again when they have changed. If they cannot be read, what was read before
 * holds on, and the problem is reported once.
 *
 * <p>Thread: any.
 */
public final class WatchedFiles {
  private final Runnable read;
  private final Consumer<String> report;
  private final List<Path> files;

  /** How the files were when they were last read; which they are, how long, and written when. */
  private List<Object> used;

  private List<Object> seen;

  /** What was last reported; empty if they could be read. */
  private String problem = "";

  /**
   * Files that are read now by somebody else.
   *
   * @param read reads them; throws a {@link TokensException} or {@link IllegalArgumentException} if
   *     they cannot be used
   * @param report takes the problem
   */
  public WatchedFiles(Runnable read, Consumer<String> report, Path... files) {
    this.read = read;
    this.report = report;
    this.files = List.of(files);
    this.used = stamp();
    this.seen = used;
  }

  private List<Object> stamp() {
    List<Object> stamp = new ArrayList<>();
    for (Path file : files) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        stamp.addAll(List.of(String.valueOf(now.fileKey()), now.lastModifiedTime(), now.size()));
      } catch (IOException missing) {
        stamp.add("missing");
      }
    }
    return stamp;
  }

  /** Reads the files. */
  synchronized void read() {
    List<Object> now = stamp();
    read.run();
    used = now;
    problem = "";
  }

  /** Reads the files if they have changed; whether they were read. */
  public synchronized boolean look() {
    List<Object> now = stamp();
    // Several files are not written at once: they count when nothing has changed for a look.
    boolean settled = files.size() == 1 || now.equals(seen);
    seen = now;
    if (!settled || now.equals(used)) {
      return false;
    }
    try {
      // Those that cannot be read are tried at every look: who may read them changes nothing else.
      read();
      return true;
    } catch (TokensException | IllegalArgumentException bad) {
      String wrong = String.valueOf(bad.getMessage());
      if (!wrong.equals(problem)) {
        problem = wrong;
        report.accept(wrong);
      }
      return false;
    }
  }
}
