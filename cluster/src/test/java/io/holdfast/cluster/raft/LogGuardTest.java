package io.holdfast.cluster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cluster.raft.LogFiles.Segment;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged logs, made by Ratis and then by the test. */
@Timeout(WaitLimits.TEST_SECONDS)
class LogGuardTest {
  private static final int SECTOR = 512;

  private static final LogLimits FILES =
      new LogLimits(4 << 10, 1 << 20, 1 << 20, 1_000, Duration.ofDays(1));

  @TempDir static Path once;

  @TempDir Path temp;

  /** The address of the node, which the log contains. */
  private static List<NodeAddress> address;

  private TestNodes nodes;
  private Path log;

  /** The directory of a node with a log of several files, as a kill leaves it. */
  @BeforeAll
  static void writeLog() throws IOException {
    TestNodes writing = new TestNodes(once, 1);
    writing.limits = FILES;
    address = writing.addresses();
    writing.start("n1");
    for (int i = 0; i < 20; i++) {
      writing.awaitLeader().push("x".repeat(700) + i).orThrow();
    }
    // Rows that were not flushed are only in the log.
    copy(writing.directory("n1"), once.resolve("crashed"));
    writing.close();
  }

  @BeforeEach
  void copyLog() throws IOException {
    nodes = new TestNodes(temp, address);
    nodes.limits = FILES;
    copy(once.resolve("crashed"), nodes.directory("n1"));
    NodeFile identity = Objects.requireNonNull(NodeFile.read(nodes.directory("n1")));
    log = nodes.directory("n1").resolve("raft/" + identity.cluster() + "/current");
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (!name.equals("LOCK") && !name.equals("in_use.lock")) {
          Files.copy(file, to.resolve(from.relativize(file).toString()));
        }
      }
    }
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private Segment open() throws IOException {
    return LogFiles.segments(log).getLast();
  }

  private SegmentScan.Found scan(Segment segment) throws IOException {
    return SegmentScan.scan(segment.file(), segment.start());
  }

  /** Where the last record of a segment begins. */
  private long lastRecord(Segment segment) throws IOException {
    long end = scan(segment).end();
    long last = scan(segment).lastIndex();
    for (long cut = end - 1; cut > 0; cut--) {
      Path part = Files.write(temp.resolve("part"), head(segment.file(), cut));
      SegmentScan.Found found = SegmentScan.scan(part, segment.start());
      if (found.lastIndex() < last && found.damage() == null) {
        return cut;
      }
    }
    throw new IllegalStateException("one record only");
  }

  private static byte[] head(Path file, long bytes) throws IOException {
    return Arrays.copyOf(Files.readAllBytes(file), (int) bytes);
  }

  private static void overwrite(Path file, long at, byte[] bytes) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.seek(at);
      access.write(bytes);
    }
  }

  private static void flip(Path file, long at) throws IOException {
    overwrite(file, at, new byte[] {(byte) (Files.readAllBytes(file)[(int) at] ^ 1)});
  }

  private TestNodes.Running restart() {
    nodes.start("n1");
    return nodes.awaitLeader();
  }

  private void assertRefused(String... words) {
    assertThatThrownBy(() -> nodes.start("n1"))
        .isInstanceOf(ClusterException.class)
        .satisfies(
            refusal ->
                Stream.of(words).forEach(word -> assertThat(refusal).hasMessageContaining(word)));
  }

  @Test
  void shouldReadTheLogThatAKillHasLeft() throws IOException {
    assertThat(LogFiles.segments(log)).hasSizeGreaterThan(2);
    assertThat(restart().stored()).isEqualTo(20);
  }

  @Test
  void shouldCutARecordThatACrashHasLeftHalfWritten() throws IOException {
    // given: the last record reached the disk only up to a sector
    Segment open = open();
    long last = scan(open).lastIndex();
    long record = lastRecord(open);
    long end = scan(open).end();
    long sector = (record / SECTOR + 1) * SECTOR;
    overwrite(open.file(), sector, new byte[(int) (end - sector)]);
    assertThat(scan(open).damage()).isNotNull();

    // when
    TestNodes.Running node = restart();

    // then: all before it is there, and the log continues
    assertThat(node.node.status().lastIndex()).isGreaterThanOrEqualTo(last);
    assertThat(node.stored()).isEqualTo(19);
    node.push("next").orThrow();
    assertThat(node.stored()).isEqualTo(20);
  }

  @Test
  void shouldRefuseAFlippedBitInTheMiddleOfTheOpenSegment() throws IOException {
    // given
    Segment open = open();
    if (scan(open).entries() < 2) {
      restart().push("x".repeat(200)).orThrow();
      nodes.close();
      open = open();
    }
    flip(open.file(), 12);
    long size = Files.size(open.file());

    // then: nothing was cut
    assertRefused("damaged", open.file().toString(), "Replace this node");
    assertThat(Files.size(open.file())).isEqualTo(size);
  }

  @Test
  void shouldRefuseAFlippedBitInTheLastRecord() throws IOException {
    // given: a complete record, which may have been acknowledged
    Segment open = open();
    flip(open.file(), lastRecord(open) + 30);

    // then
    assertRefused("damaged", "no valid checksum");
  }

  @Test
  void shouldRefuseAFlippedBitInAClosedSegment() throws IOException {
    // given
    Segment first = LogFiles.segments(log).getFirst();
    flip(first.file(), first.bytes() - 10);

    // then
    assertRefused("damaged", first.file().toString());
  }

  @Test
  void shouldRefuseAMissingSegment() throws IOException {
    // given
    Files.delete(LogFiles.segments(log).get(1).file());

    // then
    assertRefused("damaged", "begins at");
  }

  @Test
  void shouldRefuseALogThatBeginsBehindTheData() throws IOException {
    // given: the rows are gone, and the beginning of the log was deleted
    List<Segment> segments = LogFiles.segments(log);
    Files.delete(segments.getFirst().file());

    // then
    assertRefused("begins at entry", "The data of this node end at entry 0");
  }

  @Test
  void shouldFinishTheRenamingOfASegment() throws IOException {
    // given: the name of a closed segment was not synced
    Segment first = LogFiles.segments(log).getFirst();
    Files.move(first.file(), log.resolve("log_inprogress_" + first.start()));

    // then
    assertThat(restart().stored()).isEqualTo(20);
    assertThat(first.file()).exists();
  }

  @Test
  void shouldDropSegmentsThatACheckpointHasReplaced() throws IOException {
    // given: rows up to the end, and a purge that was interrupted
    restart().node.snapshot().join();
    nodes.close();
    List<Segment> segments = LogFiles.segments(log);
    Files.delete(segments.get(1).file());

    // then
    assertThat(restart().stored()).isEqualTo(20);
    assertThat(segments.getFirst().file()).doesNotExist();
  }

  @Test
  void shouldRefuseADamagedVote() throws IOException {
    // given
    Files.writeString(log.resolve(LogFiles.META), "term=0\nvotedFor=n1\n");

    // then
    assertRefused(LogFiles.META, "term");
  }

  @Test
  void shouldRefuseDamagedMembersWhenTheLogDoesNotContainThem() throws IOException {
    // given: the log begins later than the cluster
    restart().node.snapshot().join();
    nodes.close();
    Files.delete(LogFiles.segments(log).getFirst().file());
    Files.writeString(log.resolve(LogFiles.MEMBERS), "damaged");

    // then
    assertRefused(LogFiles.MEMBERS);
  }

  @Test
  void shouldRefuseANodeWhoseLogIsMissing() throws IOException {
    // given
    deleteAll(Objects.requireNonNull(log.getParent()));

    // then
    assertThatThrownBy(() -> nodes.start("n1"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("is missing")
        .hasMessageContaining("holdfast cluster replace n1");
  }

  @Test
  void shouldCheckPositionsOfRows() {
    // given: rows that were stored later than the log ends, which only a lost log explains
    assertThatThrownBy(
            () -> LogGuard.check(Objects.requireNonNull(log.getParent()), new LogPosition(99, 1)))
        .hasMessageContaining("the term 99");
  }
}
