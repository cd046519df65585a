package io.holdfast.cluster.raft;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of a log, by the names that Ratis gives them. */
final class LogFiles {
  /** The directory of a group that contains the log. */
  static final String CURRENT = "current";

  /** The file with the term and the vote. */
  static final String META = "raft-meta";

  /** The file with the members. */
  static final String MEMBERS = "raft-meta.conf";

  private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");
  private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d+)");

  private LogFiles() {}

  /**
   * A segment of the log.
   *
   * @param start the index of its first entry
   * @param end the index of its last entry; -1 while it is open
   * @param modifiedMs when it was written last
   */
  record Segment(Path file, long start, long end, long bytes, long modifiedMs) {
    boolean isOpen() {
      return end < 0;
    }
  }

  /** The name of a closed segment. */
  static String closedName(long start, long end) {
    return "log_" + start + "-" + end;
  }

  /** The segments in a directory, by their start. */
  static List<Segment> segments(Path directory) throws IOException {
    List<Segment> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "log_*")) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        Matcher closed = CLOSED.matcher(name);
        Matcher open = OPEN.matcher(name);
        try {
          if (closed.matches()) {
            found.add(
                segment(file, Long.parseLong(closed.group(1)), Long.parseLong(closed.group(2))));
          } else if (open.matches()) {
            found.add(segment(file, Long.parseLong(open.group(1)), -1));
          }
        } catch (NoSuchFileException gone) {
          // Renamed or deleted while this looks.
        }
      }
    }
    found.sort(Comparator.comparingLong(Segment::start));
    return found;
  }

  private static Segment segment(Path file, long start, long end) throws IOException {
    return new Segment(
        file, start, end, Files.size(file), Files.getLastModifiedTime(file).toMillis());
  }
}
