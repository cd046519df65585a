package io.holdfast.cluster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.cluster.security.NodeSecurity;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node does that starts with an empty directory. */
@Timeout(WaitLimits.TEST_SECONDS)
class FirstStartTest {
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

  private void wipe(String name) throws IOException {
    try (Stream<Path> files = Files.walk(nodes.directory(name))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static RaftConfig replacing(RaftConfig config) {
    return new RaftConfig(
        config.name(),
        config.directory(),
        config.nodes(),
        config.listenHost(),
        config.clientAddress(),
        true,
        false,
        config.times(),
        config.limits());
  }

  @Test
  void shouldNotFoundAClusterUntilAllNodesHaveAnswered() {
    // given
    TestNodes.Running first = nodes.start("n1");
    TestNodes.Running second = nodes.start("n2");

    // when
    FirstStart start =
        new FirstStart(
            nodes.config("n1"),
            first.node.self(),
            address -> {
              if (address.equals(second.node.self().address())) {
                return second.node.state();
              }
              throw new IOException("away");
            });

    // then
    assertThat(start.decide())
        .isInstanceOfSatisfying(
            FirstStart.Decision.Wait.class,
            wait -> assertThat(wait.reason()).contains("no answer from n3"));
    assertThat(first.node.state().cluster()).isNull();
    nodes.start("n3");
    nodes.awaitLeader();
    assertThat(first.node.state().cluster()).isEqualTo(second.node.state().cluster());
  }

  @Test
  void shouldRefuseAWipedNodeAndLetItBeReplaced() throws Exception {
    // given
    nodes.times = TestNodes.STEADY;
    nodes.startAll();
    nodes.awaitLeader().push("a").orThrow();
    nodes.awaitEqual();
    TestNodes.Running lost = nodes.followers().getFirst();
    String oldId = lost.node.self().id();
    lost.close();
    wipe(lost.name);

    // when
    TestNodes.Running wiped = nodes.start(lost.name);

    // then
    await().until(() -> wiped.failure != null);
    assertThat(wiped.failure)
        .contains("has a member " + lost.name, "is empty", "holdfast cluster replace " + lost.name);
    assertThat(wiped.node.state().cluster()).isNull();
    wiped.close();

    // when
    TestNodes.Running replacement =
        nodes.start(replacing(nodes.config(lost.name)), List.of(), NodeSecurity.none());
    await().until(() -> replacement.node.status().started());
    TestNodes.Running leader = nodes.awaitLeader();
    leader.node.replace(lost.name, replacement.node.self()).get(30, TimeUnit.SECONDS);

    // then
    leader.push("b").orThrow();
    nodes.awaitEqual();
    assertThat(leader.node.members()).extracting(Member::id).doesNotContain(oldId).hasSize(3);
    assertThat(replacement.failure).isNull();
  }

  @Test
  void shouldRefuseAWipedNodeThatWouldFoundTheCluster() throws IOException {
    // given: the first by name, which has founded it
    nodes.startAll();
    nodes.awaitLeader().push("a").orThrow();
    nodes.get("n1").close();
    nodes.get("n3").close();
    wipe("n1");

    // when: one of the others runs
    TestNodes.Running wiped = nodes.start("n1");

    // then
    await().until(() -> wiped.failure != null);
    assertThat(wiped.failure).contains("has a member n1");
  }

  @Test
  void shouldRefuseTheDirectoryOfAnotherNode() throws IOException {
    // given
    nodes.start("n1").close();
    Files.move(nodes.directory("n1"), nodes.directory("n2"));

    // then
    assertThatThrownBy(() -> RaftNode.open(nodes.config("n2"), NodeSecurity.none()))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("belongs to the node n1");
  }

  @Test
  void shouldRefuseDataWithoutANodeFile() throws IOException {
    // given
    nodes.start("n1").close();
    Files.delete(nodes.directory("n1").resolve("node"));

    // then
    assertThatThrownBy(() -> RaftNode.open(nodes.config("n1"), NodeSecurity.none()))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("no node file");
  }

  @Test
  void shouldMakeTheDataOfASingleNodeTheFirstMember() throws Exception {
    // given
    nodes.times = TestNodes.STEADY;
    RaftConfig config = nodes.config("n1");
    try (EmbeddedBroker single = EmbeddedBroker.open(EngineConfig.at(config.dataDirectory()))) {
      single.push(PushRequest.of(NewMessage.to("q", new byte[1]))).orThrow();
    }
    RaftNode.found(config.directory(), config.self(), config.clientAddress());

    // when
    TestNodes.Running first = nodes.start("n1");
    nodes.awaitLeader().push("b").orThrow();
    TestNodes.Running second = nodes.start("n2");
    await().until(() -> second.node.status().started());
    first.node.add(second.node.self()).get(30, TimeUnit.SECONDS);

    // then
    nodes.awaitEqual();
    first.node.transfer("n2").get(20, TimeUnit.SECONDS);
    await().until(second::isLeading);
    assertThat(second.stored()).isEqualTo(2);
  }
}
