package io.holdfast.cluster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cluster.raft.LogFiles.Segment;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is stored and deleted of the log, and how nodes catch up. */
@Timeout(WaitLimits.TEST_SECONDS)
class LogKeepingTest {
  @TempDir Path temp;

  private TestNodes nodes;

  @BeforeEach
  void prepare() {
    nodes = new TestNodes(temp, 3);
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private Path log(String name) {
    return nodes
        .directory(name)
        .resolve(
            "raft/"
                + Objects.requireNonNull(NodeFile.read(nodes.directory(name))).cluster()
                + "/current");
  }

  private long firstIndex(String name) throws IOException {
    return LogFiles.segments(log(name)).getFirst().start();
  }

  private void push(int count) {
    TestNodes.Running leader = nodes.awaitLeader();
    for (int i = 0; i < count; i++) {
      leader.push("x".repeat(2_000)).orThrow();
    }
  }

  @Test
  void shouldBringANodeThatWasAwayUpByLogAndBehindThePurgeByCheckpoint() throws Exception {
    // given
    nodes.limits = TestNodes.SMALL;
    nodes.startAll();
    push(5);
    TestNodes.Running away = nodes.followers().getFirst();

    // when: it misses a little
    away.close();
    push(5);
    away = nodes.start(away.name);
    nodes.awaitEqual();

    // then
    assertThat(nodes.copies()).isZero();

    // when: it misses more than the log keeps
    long had = away.applied().index();
    away.close();
    push(60);
    for (TestNodes.Running node : nodes.all()) {
      node.node.snapshot().get(20, TimeUnit.SECONDS);
    }
    await()
        .untilAsserted(
            () -> assertThat(firstIndex(nodes.awaitLeader().name)).isGreaterThan(had + 1));
    TestNodes.Running back = nodes.start(away.name);

    // then
    nodes.awaitEqual();
    assertThat(nodes.copies()).isPositive();

    // when: it continues by log, also after a restart, and can lead
    push(3);
    nodes.awaitEqual();
    back.close();
    TestNodes.Running again = nodes.start(back.name);
    nodes.awaitEqual();

    // then: the leader may be refused until its connection to the restarted node is back
    await()
        .ignoreExceptionsInstanceOf(ExecutionException.class)
        .until(
            () -> {
              nodes.awaitLeader().node.transfer(again.name).get(20, TimeUnit.SECONDS);
              return true;
            });
    await().until(again::isLeading);
    assertThat(again.stored()).isEqualTo(73);
  }

  @Test
  void shouldStoreRowsByTimeOnAQuietCluster() {
    // given
    nodes.times =
        new RaftTimes(
            TestNodes.QUICK.electionMin(), TestNodes.QUICK.electionMax(), Duration.ofMillis(300));
    nodes.startAll();

    // when
    push(1);

    // then
    await()
        .untilAsserted(
            () ->
                assertThat(nodes.all())
                    .allSatisfy(
                        node ->
                            assertThat(node.node.status().snapshotIndex())
                                .isPositive()
                                .isEqualTo(node.applied().index())));
  }

  @Test
  void shouldStoreRowsByBytes() {
    // given
    nodes.limits = new LogLimits(1 << 20, 10_000, 1 << 30, 1_000, Duration.ofDays(1));
    nodes.startAll();

    // when
    push(20);

    // then
    await()
        .untilAsserted(
            () -> assertThat(nodes.awaitLeader().node.status().snapshotIndex()).isPositive());
  }

  @Test
  void shouldChooseWhatToDeleteByBytesEntriesAndAge() throws IOException {
    // given
    nodes.inMemory = true;
    nodes.limits = new LogLimits(8 << 10, 1 << 30, 1 << 30, 1_000_000, Duration.ofDays(1));
    nodes.startAll();
    push(20);
    String name = nodes.awaitLeader().name;

    // then: nothing is deleted within the limits
    assertThat(nodes.awaitLeader().node.snapshot().join()).isPositive();
    assertThat(firstIndex(name)).isZero();
    assertThat(LogFiles.segments(log(name))).hasSizeGreaterThan(3);
    for (Segment segment : LogFiles.segments(log(name))) {
      assertThat(Files.size(segment.file())).isEqualTo(segment.bytes());
    }
  }

  @Test
  void shouldDeleteLogByAge() throws Exception {
    // given
    nodes.limits = new LogLimits(8 << 10, 1 << 30, 1 << 30, 5, Duration.ZERO);
    nodes.startAll();
    push(20);
    TestNodes.Running leader = nodes.awaitLeader();
    List<Segment> before = LogFiles.segments(log(leader.name));

    // when
    leader.node.snapshot().get(20, TimeUnit.SECONDS);

    // then
    await()
        .untilAsserted(
            () -> assertThat(firstIndex(leader.name)).isGreaterThan(before.get(1).start()));
    push(1);
    nodes.awaitEqual();
  }
}
