package io.holdfast.cluster.raft;

import io.holdfast.cluster.raft.LogFiles.Segment;
import io.holdfast.engine.command.LogPosition;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the files of the log before Ratis opens them, and finishes what a crash has interrupted.
 *
 * <p>Ratis knows two ways with a bad record: not to start, which an ordinary crash would cause, or
 * to cut the log at the first one, which would drop acknowledged entries behind a flipped bit. This
 * cuts only the end of the open segment that a crash has left half written, and refuses the rest.
 */
final class LogGuard {
  private static final Logger LOG = LoggerFactory.getLogger(LogGuard.class);

  private static final String REMEDY =
      " Nothing was changed. Replace this node: move its directory away, start it again with an"
          + " empty one, and follow its message.";

  private final Path directory;
  private final LogPosition stored;

  private LogGuard(Path directory, LogPosition stored) {
    this.directory = directory;
    this.stored = stored;
  }

  /**
   * Checks a log.
   *
   * @param group the directory of the group
   * @param stored the position that the stored rows contain
   * @throws ClusterException if the log is damaged, or does not fit the rows
   */
  static void check(Path group, LogPosition stored) {
    Path current = group.resolve(LogFiles.CURRENT);
    try {
      new LogGuard(current, stored).check();
    } catch (IOException unreadable) {
      throw new ClusterException("The log in " + current + " cannot be read.", unreadable);
    }
  }

  private void check() throws IOException {
    List<Segment> segments = new ArrayList<>(LogFiles.segments(directory));
    dropReplaced(segments);
    long lastTerm = 0;
    long next = -1;
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      boolean isLast = i == segments.size() - 1;
      if (next >= 0 && segment.start() != next) {
        throw refusal(
            segment,
            "it begins at " + segment.start() + ", but the one before ends at " + (next - 1));
      }
      SegmentScan.Found found = SegmentScan.scan(segment.file(), segment.start());
      if (found.damage() != null) {
        cut(segment, found, isLast, found.damage());
      }
      finish(segment, found, isLast);
      next = found.lastIndex() + 1;
      lastTerm = Math.max(lastTerm, found.lastTerm());
    }
    checkStart(segments);
    checkTerm(lastTerm);
    checkMembers(segments);
  }

  /**
   * Deletes segments that are followed by a gap and contain only what is stored: a checkpoint or a
   * purge has replaced them, and the process ended before all were deleted.
   */
  private void dropReplaced(List<Segment> segments) throws IOException {
    int gap = -1;
    for (int i = 0; i + 1 < segments.size(); i++) {
      Segment segment = segments.get(i);
      if (!segment.isOpen()
          && segment.end() + 1 < segments.get(i + 1).start()
          && segment.end() <= stored.index()) {
        gap = i;
      }
    }
    for (int i = 0; i <= gap; i++) {
      Segment dropped = segments.removeFirst();
      LOG.info("Deleted {}, which was purged before the process ended.", dropped.file());
      Files.delete(dropped.file());
    }
    if (gap >= 0) {
      DurableFiles.syncDirectory(directory);
    }
  }

  /** Cuts a half-written end off, or refuses. */
  private void cut(Segment segment, SegmentScan.Found found, boolean isLast, String damage)
      throws IOException {
    if (!found.torn() || !segment.isOpen() || !isLast || found.lastIndex() < stored.index()) {
      throw refusal(segment, damage + ", at byte " + found.end());
    }
    LOG.warn(
        "Cut {} at byte {}: a crash interrupted the write of the entry after {}.",
        segment.file(),
        found.end(),
        found.lastIndex());
    DurableFiles.truncate(segment.file(), found.end());
  }

  /** Checks the end of a segment, and renames an open one that was followed by another. */
  private void finish(Segment segment, SegmentScan.Found found, boolean isLast) throws IOException {
    if (!segment.isOpen()) {
      if (found.lastIndex() != segment.end()) {
        throw refusal(segment, "its last entry is " + found.lastIndex());
      }
    } else if (!isLast) {
      if (found.entries() == 0) {
        throw refusal(segment, "it is empty, but not the last");
      }
      Path closed =
          segment.file().resolveSibling(LogFiles.closedName(segment.start(), found.lastIndex()));
      Files.move(segment.file(), closed);
      DurableFiles.syncDirectory(directory);
    }
  }

  /** The log must begin at the latest behind what is stored. */
  private void checkStart(List<Segment> segments) {
    if (!segments.isEmpty() && segments.getFirst().start() > stored.index() + 1) {
      throw new ClusterException(
          "The data of this node end at entry "
              + stored.index()
              + ", but its log in "
              + directory
              + " begins at entry "
              + segments.getFirst().start()
              + ": data were deleted or are of another time."
              + REMEDY);
    }
  }

  /** The file with term and vote has no checksum: it is compared with the log. */
  private void checkTerm(long lastTerm) throws IOException {
    Path meta = directory.resolve(LogFiles.META);
    Properties values = new Properties();
    try (BufferedReader reader = Files.newBufferedReader(meta, StandardCharsets.UTF_8)) {
      values.load(reader);
    } catch (IllegalArgumentException | IOException unreadable) {
      throw new ClusterException(
          "The file " + meta + " with the term and vote of this node is damaged." + REMEDY,
          unreadable);
    }
    Long term = number(values.getProperty("term"));
    if (term == null || term < Math.max(lastTerm, stored.term())) {
      throw new ClusterException(
          "The file "
              + meta
              + " has the term "
              + values.getProperty("term")
              + ", but there are entries of the term "
              + Math.max(lastTerm, stored.term())
              + ": it is damaged."
              + REMEDY);
    }
  }

  /**
   * The members are in a file beside the log. Without it, Ratis would continue with those of the
   * first start if the log does not go back that far.
   */
  private void checkMembers(List<Segment> segments) {
    boolean isWhole =
        segments.isEmpty() ? stored.equals(LogPosition.START) : segments.getFirst().start() == 0;
    Path file = directory.resolve(LogFiles.MEMBERS);
    try {
      if (isWhole || LogEntryProto.parseFrom(Files.readAllBytes(file)).hasConfigurationEntry()) {
        return;
      }
    } catch (IOException unreadable) {
      throw new ClusterException(
          "The file " + file + " with the members of the cluster is damaged." + REMEDY, unreadable);
    }
    throw new ClusterException(
        "The file " + file + " does not contain the members of the cluster." + REMEDY);
  }

  private static @Nullable Long number(@Nullable String text) {
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException damaged) {
      return null;
    }
  }

  private static ClusterException refusal(Segment segment, String damage) {
    return new ClusterException(
        "The log of this node is damaged: in "
            + segment.file()
            + " "
            + damage
            + ". Acknowledged entries may be behind it."
            + REMEDY);
  }
}
