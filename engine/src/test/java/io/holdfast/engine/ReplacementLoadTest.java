package io.holdfast.engine;

import static io.holdfast.engine.Calls.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.verify.Verify;
import io.holdfast.testkit.TestScale;
import io.holdfast.testkit.WaitLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data are replaced while many callers push, pop, settle and read. */
@Tag("slow")
@Timeout(WaitLimits.TEST_SECONDS)
class ReplacementLoadTest {
  private static final int ROUNDS = TestScale.rounds(3, 30);
  private static final int PUSHERS = 6;
  private static final int OTHERS = 3;
  private static final int CALLS = 100;
  private static final String KEPT = "kept";
  private static final String WORK = "work";

  /** Nothing but these: a queue or a lease may be missing in the new data. */
  private static final Set<ErrorCode> EXPECTED =
      Set.of(ErrorCode.NOT_FOUND, ErrorCode.STALE_LEASE, ErrorCode.CLOSED);

  @TempDir Path temp;
  private final Set<UUID> pushed = ConcurrentHashMap.newKeySet();
  private final Set<UUID> afterwards = ConcurrentHashMap.newKeySet();
  private final Set<ErrorCode> refusals = ConcurrentHashMap.newKeySet();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile boolean replaced;
  private volatile boolean enough;

  @Test
  void shouldKeepTheCheckpointAndAllThatIsAnsweredAfterwards() {
    for (int round = 0; round < ROUNDS; round++) {
      pushed.clear();
      afterwards.clear();
      enough = false;
      replaced = false;
      replace(round);
    }
  }

  private void replace(int round) {
    // given: a checkpoint, and a broker under load
    Set<UUID> copied = new HashSet<>();
    Path checkpoint =
        LaterCheckpoint.make(
            temp.resolve("other-" + round),
            new LogPosition(1, 1_000_000),
            TimeSource.SYSTEM,
            other -> {
              for (int i = 0; i < CALLS; i++) {
                copied.add(ids(other.push(PushRequest.of(message(KEPT))).orThrow()).getFirst());
              }
            });
    EngineConfig config = EngineConfig.at(temp.resolve("data-" + round));
    Set<UUID> live;
    try (EmbeddedBroker broker = EmbeddedBroker.open(config)) {
      List<CompletableFuture<Boolean>> load = load(broker);
      eventually(() -> assertThat(calls.get()).isGreaterThan(CALLS));

      // when
      broker.replaceWith(checkpoint);
      replaced = true;
      eventually(() -> assertThat(afterwards.size()).isGreaterThan(CALLS));
      enough = true;
      load.forEach(Calls::answerOf);

      // then
      live = kept(broker);
      assertThat(live).containsAll(copied).containsAll(afterwards);
      Set<UUID> known = new HashSet<>(pushed);
      known.addAll(copied);
      assertThat(known).containsAll(live);
      assertThat(EXPECTED).containsAll(refusals);
      assertThat(broker.failure()).isNull();
    }
    assertThat(Verify.directory(temp.resolve("data-" + round)).violations()).isEmpty();
    try (EmbeddedBroker again = EmbeddedBroker.open(config)) {
      assertThat(kept(again)).isEqualTo(live);
    }
  }

  private List<CompletableFuture<Boolean>> load(EmbeddedBroker broker) {
    List<CompletableFuture<Boolean>> load = new ArrayList<>();
    for (int i = 0; i < PUSHERS; i++) {
      load.add(repeat(() -> push(broker)));
    }
    for (int i = 0; i < OTHERS; i++) {
      load.add(repeat(() -> consume(broker, 0)));
      load.add(repeat(() -> consume(broker, 50)));
      load.add(repeat(() -> ask(() -> broker.browse(BrowseRequest.queue(KEPT)))));
      load.add(repeat(() -> ask(() -> broker.record(new RecordRequest("record", 0, 0)))));
    }
    return load;
  }

  private CompletableFuture<Boolean> repeat(Runnable call) {
    return Calls.start(
        () -> {
          while (!enough) {
            call.run();
            calls.incrementAndGet();
          }
          return true;
        });
  }

  private static NewMessage message(String queue) {
    return NewMessage.to(queue, new byte[] {1}).transactionId(UUID.randomUUID().toString());
  }

  private void push(Broker broker) {
    boolean late = replaced;
    Pushed kept = ask(() -> broker.push(PushRequest.of(message(KEPT))));
    if (kept != null) {
      pushed.addAll(ids(kept));
      if (late) {
        afterwards.addAll(ids(kept));
      }
    }
    ask(() -> broker.push(PushRequest.of(message(WORK))));
    ask(
        () ->
            broker.commit(
                CommitRequest.of(
                    new Operation.PutRecord("record", Operation.ANY_VERSION, new byte[1]))));
  }

  private static List<UUID> ids(Pushed answer) {
    return answer.messages().stream().map(PushedMessage::id).toList();
  }

  private void consume(Broker broker, long waitMs) {
    Popped popped = ask(() -> broker.pop(PopRequest.queue(WORK).batch(10).waitMs(waitMs)));
    if (popped != null && !popped.isEmpty()) {
      ask(() -> broker.settle(SettleRequest.of(Settle.ackAll(popped.leaseId()))));
    }
  }

  private <T> @Nullable T ask(Supplier<Result<T>> call) {
    Result<T> result = call.get();
    if (result.isOk()) {
      return result.orThrow();
    }
    refusals.add(result.refusal().code());
    return null;
  }

  private static Set<UUID> kept(Broker broker) {
    Set<UUID> ids = new HashSet<>();
    BrowseRequest request = BrowseRequest.queue(KEPT).limit(Limits.PAGE_MAX);
    String next = null;
    do {
      Page<BrowsedMessage> page = broker.browse(request.after(next)).orThrow();
      page.items().forEach(item -> ids.add(item.message().id()));
      next = page.next();
    } while (next != null);
    return ids;
  }
}
