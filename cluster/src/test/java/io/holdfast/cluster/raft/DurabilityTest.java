package io.holdfast.cluster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.util.ExitUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What must hold so that an acknowledged entry survives. */
@Timeout(WaitLimits.TEST_SECONDS)
class DurabilityTest {
  @TempDir Path temp;

  @Test
  void shouldSetWhatKeepsEntriesAndTheLeader() {
    RaftProperties properties =
        RaftSettings.of(new TestNodes(temp, 3).config("n1"), temp.resolve("raft"));

    assertThat(RaftServerConfigKeys.Log.unsafeFlushEnabled(properties)).isFalse();
    assertThat(RaftServerConfigKeys.Log.asyncFlushEnabled(properties)).isFalse();
    assertThat(RaftServerConfigKeys.Log.useMemory(properties)).isFalse();
    assertThat(RaftServerConfigKeys.Log.logMetadataEnabled(properties)).isFalse();
    assertThat(RaftServerConfigKeys.Log.corruptionPolicy(properties))
        .isEqualTo(CorruptionPolicy.EXCEPTION);
    assertThat(RaftServerConfigKeys.Log.Appender.installSnapshotEnabled(properties)).isFalse();
    assertThat(RaftServerConfigKeys.Log.purgePreservationLogNum(properties)).isEqualTo(1_000);
    assertThat(RaftServerConfigKeys.Snapshot.autoTriggerEnabled(properties)).isFalse();
    assertThat(RaftServerConfigKeys.LeaderElection.preVote(properties)).isTrue();
    assertThat(RaftServerConfigKeys.RetryCache.expiryTime(properties).toLong(TimeUnit.MILLISECONDS))
        .isEqualTo(2_000);
    assertThat(RaftServerConfigKeys.closeThreshold(properties).toLong(TimeUnit.MINUTES))
        .isEqualTo(60);
    assertThat(RaftSettings.ENTRY_BYTES_MAX)
        .isLessThanOrEqualTo(
            RaftServerConfigKeys.Log.Appender.bufferByteLimit(properties).getSizeInt() - (1 << 20))
        .isLessThan(RaftServerConfigKeys.Log.writeBufferSize(properties).getSizeInt())
        .isLessThan(RaftServerConfigKeys.Log.queueByteLimit(properties).getSizeInt())
        .isLessThan(RaftServerConfigKeys.Write.byteLimit(properties).getSizeInt());
  }

  @Test
  void shouldSyncADirectoryWhenItsNamesChange() throws IOException {
    // given
    Path directory = Files.createDirectory(temp.resolve("log"));
    DirectorySync sync = new DirectorySync(directory);
    Files.setLastModifiedTime(directory, FileTime.fromMillis(1_000));
    sync.sync();
    assertThat(sync.syncs()).isEqualTo(1);

    // then: not again while nothing has changed
    sync.sync();
    assertThat(sync.syncs()).isEqualTo(1);

    // when
    Files.createFile(directory.resolve("log_inprogress_0"));
    sync.sync();

    // then: also for a change in the same tick
    assertThat(sync.syncs()).isEqualTo(2);
    sync.sync();
    assertThat(sync.syncs()).isEqualTo(3);
  }

  @Test
  void shouldStopTheNodeWhenItsLogCannotBeWritten() throws IOException {
    // given
    try (TestNodes nodes = new TestNodes(temp, 1)) {
      nodes.inMemory = true;
      TestNodes.Running node = nodes.start("n1");
      nodes.awaitLeader().push("a").orThrow();
      Path log =
          nodes
              .directory("n1")
              .resolve(
                  "raft/"
                      + Objects.requireNonNull(NodeFile.read(nodes.directory("n1"))).cluster()
                      + "/current");

      // when: nothing can be synced any more
      Files.move(log, log.resolveSibling("lost"));
      Outcome outcome = new Outcome();
      node.node.propose(node.node.status().term(), new byte[10], outcome);

      // then: other threads of Ratis may meet the closed log, and end
      await().dontCatchUncaughtExceptions().until(() -> node.failure != null);
      assertThat(node.failure).contains("log of the cluster cannot be written");
      Files.move(log.resolveSibling("lost"), log);
    }
  }

  @Test
  void shouldKeepTheHandlerOfUncaughtExceptions() {
    // given
    Thread.UncaughtExceptionHandler own = (thread, failure) -> {};
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(own);

    // when
    RatisProcess.protect();
    assertThat(ExitUtils.isTerminated()).isFalse();

    // then
    assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(own);
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  @Test
  void shouldWriteTheIdentityOfANode() {
    // given
    Member self = new Member("n1~0000abcd", "127.0.0.1:1", "");
    NodeFile file =
        new NodeFile(self.id(), null, List.of(), false).withCluster(new UUID(1, 2), List.of(self));

    // when
    file.write(temp);

    // then
    assertThat(NodeFile.read(temp)).isEqualTo(file);
    assertThat(Objects.requireNonNull(NodeFile.read(temp)).name()).isEqualTo("n1");
  }
}
