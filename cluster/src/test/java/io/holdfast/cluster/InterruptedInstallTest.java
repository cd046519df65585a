package io.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.cluster.raft.NodeAddress;
import io.holdfast.cluster.security.NodeSecurity;
import io.holdfast.engine.EngineConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that was killed while a checkpoint took the place of its data. */
@Tag("slow")
final class InterruptedInstallTest {
  @TempDir private Path directory;
  private final List<NodeAddress> addresses = TestNodes.addresses(1);

  private ClusterNode start() {
    ClusterNode node =
        ClusterNode.start(
            new ClusterConfig(
                TestNodes.raft(directory, "n1", addresses),
                NodeSecurity.none(),
                EngineConfig.inMemory().keys(TestNodes.KEYS),
                ClusterConfig.LEADER_PATIENCE,
                "test"),
            TimeSource.SYSTEM,
            null,
            reason -> {});
    await().until(node.own().replica()::isLeading);
    return node;
  }

  @Test
  void shouldFinishTheReplacementOfItsData() throws IOException {
    // given
    Path own = directory.resolve("n1");
    try (ClusterNode node = start()) {
      node.broker()
          .push(PushRequest.of(NewMessage.to("q", "one".getBytes(StandardCharsets.UTF_8))))
          .orThrow();
      node.own().checkpoint(own.resolve("copied"));
    }
    Files.move(own.resolve("copied"), own.resolve("incoming").resolve("checkpoint-1"));
    Files.writeString(
        own.resolve("data").resolve("REPLACING"), "deleting\n../incoming/checkpoint-1");

    // when
    try (ClusterNode again = start()) {
      // then
      assertThat(again.broker().pop(PopRequest.queue("q")).orThrow().messages()).hasSize(1);
      assertThat(own.resolve("incoming")).isEmptyDirectory();
    }
  }
}
