package io.holdfast.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.bench.http.Wire;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.testkit.TestScale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed again and again under HTTP load keeps what it acknowledged. */
@Tag("slow")
class HttpCrashTest {
  private static final int ROUNDS = TestScale.rounds(4, 20);
  private static final int ANSWERS_MAX = 1_000;
  private static final long STEPS = 60;
  private static final int MORE_MAX = 100;

  @TempDir Path directory;

  @Test
  void shouldKeepWhatItAcknowledgedOverHttpWhenKilled() throws Exception {
    // given
    long seed = System.nanoTime();
    CrashRounds rounds = CrashRounds.overHttp(directory, ROUNDS, ANSWERS_MAX, seed, line -> {});

    // when
    CrashRounds.Summary summary = rounds.run();

    // then
    assertThat(summary.violations()).as("seed " + seed).isEmpty();
    assertThat(summary.rounds()).isEqualTo(ROUNDS);
    assertThat(summary.tally().pushes()).isPositive();
    assertThat(summary.tally().settles()).isPositive();
    assertThat(summary.tally().commits()).isPositive();
    assertThat(summary.tally().transactions()).isPositive();
    assertThat(summary.tally().extensions()).isPositive();
    assertThat(summary.leases()).isPositive();
    assertThat(summary.delays()).isPositive();
  }

  @Test
  void shouldFindNothingWrongWithAServerThatKeepsItsWord() throws Exception {
    assertThat(violations(broker -> broker)).isEmpty();
  }

  @Test
  void shouldNoticeAPushThatWasAcknowledgedAndLost() throws Exception {
    assertThat(violations(Forgetful::new)).anyMatch(found -> found.contains("push lost"));
  }

  @Test
  void shouldNoticeAnAckThatWasAnsweredAndUndone() throws Exception {
    assertThat(violations(Lazy::new)).anyMatch(found -> found.contains("but it is ACKED"));
  }

  @Test
  void shouldNoticeHalfOfACommit() throws Exception {
    assertThat(violations(broker -> new Half(broker, true)))
        .anyMatch(found -> found.startsWith("journal: expected"))
        .anyMatch(found -> found.startsWith("record: expected"));
  }

  @Test
  void shouldNoticeHalfOfATransaction() throws Exception {
    assertThat(violations(broker -> new Half(broker, false)))
        .anyMatch(found -> found.contains("push lost"));
  }

  /** Lets a client work over HTTP on a broker that may lie, and judges the true one. */
  private List<String> violations(UnaryOperator<Broker> bend) throws Exception {
    EngineConfig config = EngineConfig.at(directory.resolve("data"));
    List<String> lines = new ArrayList<>();
    EmbeddedBroker served = EmbeddedBroker.open(config);
    CrashQueues.configure(served);
    Broker bent = bend.apply(served);
    try (HoldfastServer server = HoldfastServer.start(ServerConfig.defaults().port(0), bent);
        Wire wire = Wire.Kind.SOCKET.open(server.port())) {
      HttpCrashWorker worker = new HttpCrashWorker(wire, 0, 0, 7, line -> lines.add(line.text()));
      worker.work(STEPS);
      // Which steps are possible depends on what is due: on a slow machine the fault may come late.
      for (int more = 0; bent instanceof Lying liar && !liar.lied && more < MORE_MAX; more++) {
        worker.work(STEPS);
      }
    }
    RoundLog log = new RoundLog(0, lines);
    List<String> found = new ArrayList<>(log.violations());
    try (EmbeddedBroker reopened = EmbeddedBroker.open(config)) {
      for (Ledger ledger : log.ledgers()) {
        found.addAll(Judge.violations(ledger, new PartitionProbe(reopened, ledger).facts()));
      }
    }
    return found;
  }

  /** A broker that sometimes answers what it did not do. */
  private abstract static class Lying extends ForwardingBroker {
    volatile boolean lied;

    Lying(Broker target) {
      super(target);
    }
  }

  /** Loses the last message of each push of more than one after it acknowledged it. */
  private static final class Forgetful extends Lying {
    Forgetful(Broker target) {
      super(target);
    }

    @Override
    public Result<Pushed> push(PushRequest request) {
      Result<Pushed> pushed = super.push(request);
      if (request.messages().size() > 1) {
        MessageRef last = MessageRef.id(pushed.orThrow().messages().getLast().id());
        cancel(CancelRequest.of(last)).orThrow();
        lied = true;
      }
      return pushed;
    }
  }

  /** Does the first half of commits, and says that it did all: no record, or no push. */
  private static final class Half extends Lying {
    private final boolean withJournal;
    private long appended;

    /**
     * @param withJournal whether it halves commits that append to a journal; else it halves the
     *     others
     */
    Half(Broker target, boolean withJournal) {
      super(target);
      this.withJournal = withJournal;
    }

    @Override
    public Result<Committed> commit(CommitRequest request) {
      boolean appends =
          request.operations().stream()
              .filter(Operation.AppendJournal.class::isInstance)
              .map(Operation.AppendJournal.class::cast)
              .anyMatch(append -> !withJournal || append.expectedPosition() == appended);
      if (appends != withJournal) {
        return super.commit(request);
      }
      List<Operation> done = request.operations().stream().filter(this::does).toList();
      List<Committed.Step> told = new ArrayList<>();
      told.addAll(super.commit(new CommitRequest(done, null)).orThrow().steps());
      request.operations().stream()
          .filter(operation -> !does(operation))
          .forEach(operation -> told.add(undone(operation)));
      lied = true;
      return Result.ok(new Committed(told));
    }

    /** These come first in the requests of our client. */
    private boolean does(Operation operation) {
      return operation instanceof Operation.SettleMessage
          || (withJournal && operation instanceof Operation.PushMessage);
    }

    private Committed.Step undone(Operation operation) {
      return switch (operation) {
        case Operation.PushMessage push ->
            new Committed.Step.MessagePushed(new PushedMessage(UUID.randomUUID(), false, 0));
        case Operation.PutRecord put -> new Committed.Step.RecordPut(1);
        case Operation.AppendJournal append -> new Committed.Step.JournalAppended(++appended);
        default -> throw new IllegalArgumentException("operation: expected no " + operation);
      };
    }
  }

  /** Says that it acked what it gave back. */
  private static final class Lazy extends Lying {
    Lazy(Broker target) {
      super(target);
    }

    @Override
    public Result<Settled> settle(SettleRequest request) {
      if (request.settles().stream().anyMatch(one -> one.outcome() != Settle.Outcome.ACK)) {
        return super.settle(request);
      }
      super.settle(
              SettleRequest.of(
                  request.settles().stream()
                      .map(one -> new Settle(one.target(), Settle.Outcome.RELEASE, null, 0, false))
                      .toList()))
          .orThrow();
      lied = true;
      return Result.ok(
          new Settled(
              request.settles().stream()
                  .map(one -> new SettleVerdict(SettleVerdict.Status.ACKED, 1, 0, 0))
                  .toList()));
    }
  }
}
