package io.holdfast.cluster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.ErrorCode;
import io.holdfast.testkit.WaitLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes on loopback. */
@Timeout(WaitLimits.TEST_SECONDS)
class RaftNodeTest {
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

  @Test
  void shouldElectALeaderAndApplyEntriesOnEveryNode() {
    // given
    nodes.inMemory = true;
    nodes.startAll();

    // when
    TestNodes.Running leader = nodes.awaitLeader();
    leader.push("a").orThrow();
    leader.push("b").orThrow();

    // then
    nodes.awaitEqual();
    assertThat(leader.stored()).isEqualTo(2);
    assertThat(leader.node.members()).extracting(Member::name).containsExactly("n1", "n2", "n3");
    assertThat(leader.node.members())
        .extracting(Member::clientAddress)
        .containsExactly(
            "http://n1.example:6632", "http://n2.example:6632", "http://n3.example:6632");
    for (TestNodes.Running node : nodes.all()) {
      await().until(() -> leader.node.self().equals(node.node.leader()));
    }
    RaftStatus status = leader.node.status();
    assertThat(status.leading()).isTrue();
    assertThat(status.followers()).hasSize(2);
  }

  @Test
  void shouldContinueWhenTheLeaderStopsAndLetItCatchUp() {
    // given
    nodes.startAll();
    TestNodes.Running first = nodes.awaitLeader();
    first.push("before").orThrow();

    // when
    first.close();
    TestNodes.Running second = nodes.awaitLeader();
    second.push("meanwhile").orThrow();
    nodes.start(first.name);

    // then
    nodes.awaitEqual();
    assertThat(nodes.awaitLeader().stored()).isEqualTo(2);
  }

  @Test
  void shouldKeepEverythingWhenAllNodesStop() {
    // given
    nodes.startAll();
    TestNodes.Running leader = nodes.awaitLeader();
    for (int i = 0; i < 20; i++) {
      leader.push("m" + i).orThrow();
    }
    List<String> ids = leader.node.members().stream().map(Member::id).toList();

    // when
    nodes.close();
    nodes.startAll();

    // then
    TestNodes.Running next = nodes.awaitLeader();
    assertThat(next.stored()).isEqualTo(20);
    assertThat(next.node.members()).extracting(Member::id).containsExactlyElementsOf(ids);
    nodes.awaitEqual();
  }

  @Test
  void shouldRefuseProposalsOfAFollower() {
    // given
    nodes.inMemory = true;
    nodes.startAll();
    TestNodes.Running follower = nodes.followers().getFirst();

    // when
    Outcome outcome = new Outcome();
    follower.node.propose(follower.node.status().term(), new byte[10], outcome);

    // then
    assertThat(outcome.text()).isEqualTo("refused");
    assertThat(follower.push("a").refusal().code()).isEqualTo(ErrorCode.NOT_LEADER);
  }

  @Test
  void shouldRefuseAProposalOfAnEarlierTerm() {
    // given: a leader whose thread stood still since it led before
    nodes.inMemory = true;
    nodes.startAll();
    TestNodes.Running leader = nodes.awaitLeader();

    // when
    Outcome outcome = new Outcome();
    leader.node.propose(leader.node.status().term() - 1, new byte[10], outcome);

    // then: it leads on
    await().untilAsserted(() -> assertThat(outcome.text()).isEqualTo("refused"));
    leader.push("a").orThrow();
    assertThat(leader.isLeading()).isTrue();
  }

  @Test
  void shouldRefuseEntriesThatAreTooLarge() {
    // given
    nodes.inMemory = true;
    nodes.startAll();
    TestNodes.Running leader = nodes.awaitLeader();

    // when
    Outcome outcome = new Outcome();
    leader.node.propose(
        leader.node.status().term(), new byte[RaftSettings.ENTRY_BYTES_MAX + 1], outcome);

    // then: it leads on
    assertThat(outcome.text()).isEqualTo("refused");
    leader.push("a").orThrow();
    assertThat(leader.isLeading()).isTrue();
  }

  @Test
  void shouldNotKnowTheOutcomeWhenLeadershipEndsBeforeTheCommit() {
    // given
    nodes.inMemory = true;
    nodes.times = TestNodes.STEADY;
    nodes.startAll();
    TestNodes.Running leader = nodes.awaitLeader();
    nodes.followers().parallelStream().forEach(TestNodes.Running::close);

    // when: no majority can store it
    Outcome outcome = new Outcome();
    leader.node.propose(leader.node.status().term(), new byte[10], outcome);

    // then
    await().untilAsserted(() -> assertThat(outcome.text()).isEqualTo("unknown"));
    await().until(() -> !leader.isLeading());
    Outcome later = new Outcome();
    leader.node.propose(leader.node.status().term(), new byte[10], later);
    assertThat(later.text()).isEqualTo("refused");
  }

  @Test
  void shouldMoveLeadership() throws Exception {
    // given
    nodes.inMemory = true;
    nodes.startAll();
    TestNodes.Running leader = nodes.awaitLeader();
    TestNodes.Running target = nodes.followers().getFirst();

    // when
    leader.node.transfer(target.name).get(20, TimeUnit.SECONDS);

    // then
    await().until(target::isLeading);
    await().until(() -> !leader.isLeading());
    target.push("a").orThrow();
    assertThatThrownBy(() -> target.node.transfer("n9").get(20, TimeUnit.SECONDS))
        .hasMessageContaining("no member n9");
  }

  @Test
  void shouldGiveLeadershipAwayWhenItMustNotLead() {
    // given
    nodes.inMemory = true;
    nodes.startAll();
    TestNodes.Running leader = nodes.awaitLeader();

    // when
    leader.mayLead = false;

    // then
    await().until(() -> !leader.isLeading());
    await().untilAsserted(() -> assertThat(nodes.awaitLeader().name).isNotEqualTo(leader.name));
    nodes.awaitLeader().push("a").orThrow();
  }

  @Test
  void shouldAddAndRemoveMembers() throws Exception {
    // given
    nodes.times = TestNodes.STEADY;
    nodes.startAll();
    TestNodes.Running leader = nodes.awaitLeader();
    leader.push("a").orThrow();

    // when
    nodes.name("n4");
    TestNodes.Running fourth = nodes.start("n4");
    await().until(() -> fourth.node.status().started());
    leader.node.add(fourth.node.self()).get(30, TimeUnit.SECONDS);

    // then
    nodes.awaitEqual();
    assertThat(leader.node.members()).extracting(Member::name).contains("n4");

    // when: the leader itself is removed
    leader.node.remove(leader.name).get(30, TimeUnit.SECONDS);

    // then
    await().until(() -> leader.failure != null);
    assertThat(leader.failure).contains("removed from the cluster");
    leader.close();
    TestNodes.Running next = nodes.awaitLeader();
    next.push("b").orThrow();
    assertThat(next.stored()).isEqualTo(2);
    assertThat(next.node.members()).extracting(Member::name).doesNotContain(leader.name);
  }
}
