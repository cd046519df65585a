package io.holdfast.workflow.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.message.MessageState;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.history.TaskKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FlowViewsTest extends AdminFixture {
  @Test
  void shouldTellWhichEventAFlowWaitsFor() {
    // given
    flows.start(WAITS, "w", "x");
    awaitWaiting("w");
    // when
    FlowDetail shown = admin.show("w");
    // then
    assertThat(shown.waitsInAll()).isEqualTo(1);
    Waiting waiting = shown.waits().getFirst();
    assertThat(waiting.kind()).isEqualTo(TaskKind.EVENT);
    assertThat(waiting.name()).isEqualTo("go");
    assertThat(waiting.number()).isEqualTo(1);
    assertThat(waiting.sinceMs()).isPositive();
    assertThat(shown.events()).isEqualTo(2);
    assertThat(shown.oldestExecution()).isEqualTo(1);
    // when: it ends, it waits for nothing
    flows.raise("w", "go", "!");
    flows.awaitEnd("w", SOON);
    assertThat(admin.show("w").waits()).isEmpty();
  }

  @Test
  void shouldTellWhoDoesAnActivity() {
    // given
    flows.start(WORKS, "w", "gate");
    await()
        .atMost(SOON)
        .until(
            () ->
                admin.find("w").isPresent()
                    && admin.show("w").waits().stream()
                        .anyMatch(one -> one.work() != null && one.work().worker() != null));
    // then
    Waiting waiting = admin.show("w").waits().getFirst();
    assertThat(waiting.kind()).isEqualTo(TaskKind.CALL);
    assertThat(waiting.name()).isEqualTo("gated");
    Waiting.Order order = Objects.requireNonNull(waiting.work());
    assertThat(order.state()).isEqualTo(MessageState.IN_FLIGHT);
    assertThat(order.worker()).startsWith("worker-");
    assertThat(order.untilMs()).isPositive();
    assertThat(order.failures()).isZero();
  }

  @Test
  void shouldTellHowAnActivityFailedAndWhenItIsTriedAgain() {
    // given
    flows.start(TRIES, "t", "luck");
    await()
        .atMost(SOON)
        .until(
            () ->
                admin.find("t").isPresent()
                    && admin.show("t").waits().stream()
                        .anyMatch(one -> one.work() != null && one.work().failures() == 1));
    // then
    Waiting.Order order = Objects.requireNonNull(admin.show("t").waits().getFirst().work());
    assertThat(order.state()).isEqualTo(MessageState.RETURNED);
    assertThat(order.error()).contains("IllegalStateException").contains("no luck");
    assertThat(order.againMs()).isGreaterThan(System.currentTimeMillis() + 3_000_000);
    assertThat(order.worker()).isNull();
  }

  @Test
  void shouldShowParentsAndChildren() {
    // given
    flows.start(GUARDIAN, "g", "child");
    awaitWaiting("child");
    // then
    Waiting waiting = admin.show("g").waits().getFirst();
    assertThat(waiting.kind()).isEqualTo(TaskKind.SUB);
    assertThat(waiting.name()).isEqualTo("waits");
    assertThat(waiting.flow()).isEqualTo("child");
    assertThat(waiting.flowStatus()).isEqualTo(FlowStatus.RUNNING);
    assertThat(Objects.requireNonNull(admin.get("child").parent()).flow()).isEqualTo("g");
    assertThat(admin.get("g").parent()).isNull();
    assertThat(admin.children("g", null, 10).items()).containsExactly("child");
    FlowTree tree = admin.tree("g");
    assertThat(tree.flow().id()).isEqualTo("g");
    assertThat(tree.children()).extracting(child -> child.flow().id()).containsExactly("child");
    assertThat(tree.cut()).isFalse();
  }

  @Test
  void shouldCutAWideTree() {
    // given
    flows.start(PARENT, "p", 1_200);
    flows.awaitEnd("p", SOON);
    // when
    FlowTree tree = admin.tree("p");
    // then
    assertThat(tree.size()).isEqualTo(1_000);
    assertThat(tree.cut()).isTrue();
    assertThat(admin.children("p", null, 1_000).items()).hasSize(1_000);
    String after = admin.children("p", null, 1_000).next();
    assertThat(admin.children("p", after, 1_000).items()).hasSize(200);
    assertThat(admin.children("p", after, 1_000).next()).isNull();
  }

  @Test
  void shouldPageThroughAHistoryInWords() {
    // given
    flows.start(WAITS, "w", "x");
    flows.raise("w", "go", "!");
    flows.awaitEnd("w", SOON);
    // when
    HistoryPage first = admin.history("w", 0, 0, 3);
    HistoryPage second = admin.history("w", 1, first.next(), 3);
    // then
    assertThat(first.length()).isEqualTo(4);
    assertThat(first.events())
        .extracting(HistoryEvent::kind)
        .containsExactly("Started", "EventAwaited", "Received");
    assertThat(first.events().getFirst().json()).isEqualTo("\"x\"");
    assertThat(first.events().get(2).words()).isEqualTo("event 'go' came");
    assertThat(second.events()).extracting(HistoryEvent::kind).containsExactly("FlowCompleted");
    assertThat(second.events().getFirst().number()).isEqualTo(3);
    assertThat(second.events().getFirst().json()).isEqualTo("\"x!\"");
    assertThat(second.next()).isEqualTo(-1);
    assertThatThrownBy(() -> admin.history("w", 2, 0, 3))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("executions 1 to 1");
    assertThatThrownBy(() -> admin.history("nobody", 0, 0, 3)).isInstanceOf(FlowException.class);
  }

  @Test
  void shouldMarkWhatARetryTookBack() {
    // given a flow that fails, and once more after a retry
    run(FAILS, "f", "x");
    admin.retry("f");
    await().atMost(SOON).until(() -> admin.history("f", 0, 0, 10).length() == 4);
    awaitStatus("f", FlowStatus.FAILED);
    admin.retry("f");
    await().atMost(SOON).until(() -> admin.history("f", 0, 0, 10).length() == 6);
    // then
    assertThat(admin.history("f", 0, 0, 10).events())
        .extracting(HistoryEvent::kind, HistoryEvent::voidSince)
        .containsExactly(
            tuple("Started", -1L),
            tuple("FlowFailed", 2L),
            tuple("Rewound", -1L),
            tuple("FlowFailed", 4L),
            tuple("Rewound", -1L),
            tuple("FlowFailed", -1L));
    assertThat(admin.history("f", 0, 1, 1).events().getFirst().isVoid())
        .as("though the retry is not on the page")
        .isTrue();
  }

  @Test
  void shouldShowAHistoryThatCannotBeRead() {
    // given
    flows.start(WAITS, "w", "x");
    awaitWaiting("w");
    broker
        .commit(
            CommitRequest.of(
                new Operation.AppendJournal(
                    store.keys().history(Objects.requireNonNull(store.flow("w")).executionId("w")),
                    2,
                    List.of("damaged".getBytes(StandardCharsets.UTF_8)))))
        .orThrow();
    // then
    HistoryEvent event = admin.history("w", 0, 2, 1).events().getFirst();
    assertThat(event.kind()).isEqualTo(HistoryEvent.UNREADABLE);
    assertThat(event.words()).startsWith("cannot be read");
    assertThat(admin.show("w").unreadable()).contains("event 2");
    assertThat(admin.executions("w").getFirst().events()).isEqualTo(3);
  }

  @Test
  void shouldListTheExecutionsThatAreKept() {
    // given
    flows.start(LOOP, "l", 7);
    flows.awaitEnd("l", SOON);
    // when
    List<ExecutionInfo> executions = admin.executions("l");
    // then
    assertThat(executions).extracting(ExecutionInfo::number).containsExactly(4L, 5L, 6L, 7L, 8L);
    assertThat(executions.getFirst().end()).isEqualTo("continued as new");
    assertThat(executions.getLast().end()).isEqualTo("completed");
    assertThat(executions.getLast().status()).isEqualTo(FlowStatus.COMPLETED);
    assertThat(executions.getLast().endedMs())
        .isGreaterThanOrEqualTo(executions.getLast().startedMs());
  }

  @Test
  void shouldKnowJsonFromOtherBytes() {
    assertThat(FlowHistory.json("{\"a\":[1]}".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("{\"a\":[1]}");
    assertThat(FlowHistory.json("null".getBytes(StandardCharsets.UTF_8))).isEqualTo("null");
    assertThat(FlowHistory.json("1 2".getBytes(StandardCharsets.UTF_8))).isNull();
    assertThat(FlowHistory.json("{\"a\":".getBytes(StandardCharsets.UTF_8))).isNull();
    assertThat(FlowHistory.json(new byte[] {(byte) 0xff, 0})).isNull();
    assertThat(FlowHistory.json(new byte[0])).isNull();
  }
}
