package io.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.StaleReads;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.cluster.peer.MemberChange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls to nodes of a cluster while its leader changes. */
@Tag("slow")
final class ClusterNodeTest {
  private static final String QUEUE = "orders";

  @TempDir private Path directory;
  private TestNodes nodes;

  @BeforeEach
  void start() {
    nodes = TestNodes.start(directory);
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private static PushRequest push(String text) {
    return PushRequest.of(NewMessage.to(QUEUE, text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String text(Popped popped) {
    return new String(popped.messages().getFirst().message().payload(), StandardCharsets.UTF_8);
  }

  @Test
  void shouldAnswerOnAnyNode() {
    // given
    nodes.follower().broker().push(push("one")).orThrow();

    // when
    Popped popped = nodes.leader().broker().pop(PopRequest.queue(QUEUE)).orThrow();
    SettleRequest ack = SettleRequest.of(Settle.ack(popped.messages().getFirst().handle()));

    // then
    assertThat(text(popped)).isEqualTo("one");
    assertThat(nodes.follower().broker().settle(ack).orThrow().allApplied()).isTrue();
  }

  @Test
  void shouldContinueAParkedPopAtTheNextLeader() {
    // given
    ClusterNode asked = nodes.follower();
    AsyncResult<Popped> parked = asked.broker().popAsync(PopRequest.queue(QUEUE).waitMs(60_000));
    ClusterNode old = nodes.leader();
    await().until(() -> old.own().stats().orThrow().parkedPops() == 1);

    // when
    nodes.stop(old);
    asked.broker().push(push("later")).orThrow();

    // then
    assertThat(text(parked.join().orThrow())).isEqualTo("later");
  }

  @Test
  void shouldKeepWhatWasAcknowledgedWhenTheLeaderStops() {
    // given
    ClusterNode asked = nodes.follower();
    List<AsyncResult<Pushed>> pushes = new ArrayList<>();

    // when
    for (int i = 0; i < 200; i++) {
      pushes.add(asked.broker().pushAsync(push("m" + i)));
      if (i == 100) {
        nodes.stop(nodes.leader());
      }
    }
    List<Result<Pushed>> results = pushes.stream().map(AsyncResult::join).toList();

    // then
    assertThat(results).allMatch(Result::isOk);
    Popped popped = asked.broker().pop(PopRequest.queue(QUEUE).batch(1_000)).orThrow();
    assertThat(popped.messages()).hasSize(200);
  }

  @Test
  void shouldGiveBackAPopThatIsCancelled() {
    // given
    ClusterNode asked = nodes.follower();
    AsyncResult<Popped> parked = asked.broker().popAsync(PopRequest.queue(QUEUE).waitMs(60_000));
    ClusterNode leader = nodes.leader();
    await().until(() -> leader.own().stats().orThrow().parkedPops() == 1);

    // when
    parked.cancel(true);

    // then
    await().until(() -> leader.own().stats().orThrow().parkedPops() == 0);
    asked.broker().push(push("one")).orThrow();
    assertThat(text(asked.broker().pop(PopRequest.queue(QUEUE)).orThrow())).isEqualTo("one");
  }

  @Test
  void shouldRefuseWhileThereIsNoLeader() {
    // given
    ClusterNode left = nodes.follower();
    nodes.all().stream().filter(node -> node != left).forEach(nodes::stop);

    // when
    Result<Pushed> refused = left.broker().push(push("one"));

    // then
    assertThat(refused.refusal().code()).isIn(ErrorCode.NOT_LEADER, ErrorCode.OUTCOME_UNKNOWN);
    await().until(() -> left.view().unready() != null);
  }

  @Test
  void shouldAnswerStaleReadsWithoutALeader() {
    // given
    ClusterNode left = nodes.follower();
    left.broker().push(push("one")).orThrow();
    await().until(() -> StaleReads.with(() -> left.broker().queue(QUEUE)).isOk());

    // when
    nodes.all().stream().filter(node -> node != left).forEach(nodes::stop);

    // then
    assertThat(StaleReads.with(() -> left.broker().queue(QUEUE)).isOk()).isTrue();
  }

  @Test
  void shouldTransferTheLeadFromAnyNode() {
    // given: a node that has heard from the leader
    ClusterNode next = nodes.follower();
    next.broker().push(push("zero")).orThrow();

    // when
    next.change(new MemberChange.Transfer(next.self().name()));

    // then
    await().until(() -> next.own().replica().isLeading());
    assertThat(next.broker().push(push("one")).isOk()).isTrue();
  }

  @Test
  void shouldReportANodeThatCannotStoreWhatIsCommitted() {
    // given
    ClusterNode broken = nodes.leader();
    ClusterNode asked = nodes.follower();

    // when
    nodes.fillDisk(broken);
    AsyncResult<Pushed> pushed = asked.broker().pushAsync(push("one"));

    // then: the process ends, and another node leads
    String name = broken.self().name();
    await().untilAsserted(() -> assertThat(nodes.failures.get(name)).contains("The disk is full"));
    nodes.stop(broken);
    assertThat(pushed.join().isOk()).isTrue();
    assertThat(text(asked.broker().pop(PopRequest.queue(QUEUE)).orThrow())).isEqualTo("one");
  }

  @Test
  void shouldKnowAllNodes() {
    await()
        .untilAsserted(
            () ->
                assertThat(nodes.follower().view().nodes())
                    .hasSize(3)
                    .allMatch(ClusterView.Node::isReachable));
    assertThat(nodes.follower().view().unready()).isNull();
  }
}
