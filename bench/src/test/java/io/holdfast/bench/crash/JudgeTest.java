package io.holdfast.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.bench.crash.CrashQueues.Place;
import io.holdfast.bench.crash.PartitionFacts.Delivered;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The judge finds every kind of fault when one is planted, and nothing when none is. */
class JudgeTest {
  private static final long NOW = 1_000_000;
  private static final long HOUR_MS = 3_600_000;

  private final PartitionModel model = new PartitionModel();

  /** A waits, B is held, C is acked, D is named, E is delayed for long; one commit pushed F. */
  JudgeTest() {
    push("A", 0, false);
    push("B", 0, false);
    push("C", 0, false);
    push("D", 0, true);
    push("E", HOUR_MS, false);
    done(new Step.Pop(3, List.of()), "lease1 " + NOW + " A B C");
    done(new Step.SettleHeld(Outcome.ACK, List.of("C")), "ACKED");
    done(new Step.SettleHeld(Outcome.NACK, List.of("A")), "RETRYING");
    done(new Step.Commit(Step.NONE, 0, "F"), UUID.randomUUID().toString());
  }

  @Test
  void shouldAcceptWhatWasAcknowledged() {
    assertThat(judge(null, new Facts())).isEmpty();
  }

  @Test
  void shouldCatchALostPush() {
    // given
    Facts facts = new Facts();
    facts.delivered.removeIf(delivery -> delivery.name().equals("D"));

    // then
    assertThat(judge(null, facts)).singleElement().asString().contains("push lost: D");
  }

  @Test
  void shouldCatchAnAckUndone() {
    // given
    Facts facts = new Facts();
    facts.delivered.add(new Delivered("C", 0, 99, NOW));

    // then
    assertThat(judge(null, facts)).singleElement().asString().contains("settle undone: C");
  }

  @Test
  void shouldCatchAMessageDeliveredTwice() {
    // given
    Facts facts = new Facts();
    facts.delivered.add(new Delivered("F", 0, 99, NOW));

    // then
    assertThat(judge(null, facts)).singleElement().asString().contains("F was delivered twice");
  }

  @Test
  void shouldCatchAMessageOutOfOrder() {
    // given
    Facts facts = new Facts();
    facts.delivered.add(facts.delivered.removeFirst());

    // then
    assertThat(judge(null, facts)).singleElement().asString().contains("out of order");
  }

  @Test
  void shouldCatchAForgottenFailure() {
    // given
    Facts facts = new Facts();
    facts.delivered.set(0, new Delivered("A", 0, 0, NOW));

    // then
    assertThat(judge(null, facts)).singleElement().asString().contains("expected 1 failures");
  }

  @Test
  void shouldCatchALostLease() {
    // given
    Facts facts = new Facts();
    facts.leaseOpen = 0;

    // then
    assertThat(judge(null, facts)).singleElement().asString().contains("lease lease1");
    assertThat(Judge.leaseViolations(ledger(null), 0)).hasSize(1);
    assertThat(Judge.leaseViolations(ledger(null), 1)).isEmpty();
  }

  @Test
  void shouldCatchALostDelay() {
    // given
    Facts facts = new Facts();
    facts.far = Set.of();

    // then
    assertThat(judge(null, facts)).singleElement().asString().contains("delay lost: E");
  }

  @Test
  void shouldCatchAnEarlyDelivery() {
    // given
    Facts facts = new Facts();
    facts.delivered.add(new Delivered("E", 0, 99, NOW));

    // then
    assertThat(judge(null, facts)).singleElement().asString().contains("early");
  }

  @Test
  void shouldCatchAForgottenName() {
    // given
    Facts facts = new Facts();
    facts.forgotten = Set.of("D");

    // then
    assertThat(judge(null, facts)).singleElement().asString().contains("name forgotten: D");
  }

  @Test
  void shouldCatchAShortJournalAndAnOldRecord() {
    // given
    Facts facts = new Facts();
    facts.journal = List.of();
    facts.record = "";

    // then
    assertThat(judge(null, facts)).hasSize(2);
  }

  @Test
  void shouldAcceptACommitInDoubtAsAWholeOrNotAtAll() {
    // given
    Step commit = new Step.Commit("B", 1, "G");
    Facts whole = new Facts();
    whole.leaseOpen = 0;
    whole.delivered.removeIf(delivery -> delivery.name().equals("B"));
    whole.delivered.add(new Delivered("G", 0, 99, NOW));
    whole.journal = List.of("0", "1");
    whole.record = "1";

    // then
    assertThat(judge(commit, new Facts())).isEmpty();
    assertThat(judge(commit, whole)).isEmpty();
  }

  @Test
  void shouldCatchHalfACommit() {
    // given
    Facts half = new Facts();
    half.journal = List.of("0", "1");
    half.record = "1";

    // then
    assertThat(judge(new Step.Commit("B", 1, "G"), half)).isNotEmpty();
  }

  @Test
  void shouldAcceptATransactionInDoubtAsAWholeOrNotAtAll() {
    // given
    Step transaction = new Step.Transaction(List.of("B"), List.of("G", "H"));
    Facts whole = new Facts();
    whole.leaseOpen = 0;
    whole.delivered.removeIf(delivery -> delivery.name().equals("B"));
    whole.delivered.add(new Delivered("G", 0, 98, NOW));
    Facts half = new Facts();
    half.leaseOpen = 0;
    half.delivered.clear();
    half.delivered.addAll(whole.delivered);
    whole.delivered.add(new Delivered("H", 0, 99, NOW));

    // then
    assertThat(judge(transaction, new Facts())).isEmpty();
    assertThat(judge(transaction, whole)).isEmpty();
    assertThat(judge(transaction, half)).isNotEmpty();
  }

  @Test
  void shouldCatchHalfAPush() {
    // given
    List<Step.Push.Item> items =
        List.of(new Step.Push.Item("G", 0, false), new Step.Push.Item("H", 0, false));
    Facts half = new Facts();
    half.delivered.add(new Delivered("G", 0, 98, NOW));

    // then
    assertThat(judge(new Step.Push(NOW, items), half)).isNotEmpty();
  }

  @Test
  void shouldReadBackWhatAChildWrites() {
    for (Step step :
        List.of(
            new Step.Push(NOW, List.of(new Step.Push.Item("A", 7, true))),
            new Step.Pop(5, List.of("A", "B")),
            new Step.Pop(5, List.of()),
            new Step.SettleHeld(Outcome.NACK, List.of("A")),
            new Step.Extend(),
            new Step.Commit(Step.NONE, 4, "B"),
            new Step.Transaction(List.of("A", "B"), List.of("C")),
            new Step.Transaction(List.of("A"), List.of("B", "C")),
            new Step.WrongCommit("A", 4, "B"))) {
      Line line = new Line(3, Line.Kind.TRY, step.text());
      assertThat(Line.parse(line.text())).contains(line);
      assertThat(Step.parse(line.body())).isEqualTo(step);
    }
    assertThat(Line.parse("3 DONE 0190a-")).isEmpty();
  }

  private void push(String name, long delayMs, boolean named) {
    done(
        new Step.Push(NOW, List.of(new Step.Push.Item(name, delayMs, named))),
        UUID.randomUUID().toString());
  }

  private void done(Step step, String answer) {
    assertThat(model.done(step, Arrays.asList(answer.split(" ")))).isEmpty();
  }

  private Ledger ledger(@Nullable Step inDoubt) {
    return new Ledger(Place.of(0, 0), model, inDoubt);
  }

  private List<String> judge(@Nullable Step inDoubt, Facts facts) {
    return Judge.violations(ledger(inDoubt), facts.facts());
  }

  /** What a broker without fault holds. */
  private static final class Facts {
    int leaseOpen = 1;
    final List<Delivered> delivered =
        new ArrayList<>(
            List.of(
                new Delivered("A", 1, 0, NOW),
                new Delivered("B", 0, 1, NOW),
                new Delivered("D", 0, 3, NOW),
                new Delivered("F", 0, 5, NOW)));
    Set<String> far = Set.of("E");
    Set<String> forgotten = Set.of();
    List<String> journal = List.of("0");
    String record = "0";

    PartitionFacts facts() {
      return new PartitionFacts(
          leaseOpen, delivered, far, Set.of(), forgotten, journal, record, List.of());
    }
  }
}
