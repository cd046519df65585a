package io.holdfast.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verbs;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many requests on one connection, and what happens to them when it fails. */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FramesTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  private Broker engine;
  private FrameServer server;
  private RemoteBroker remote;

  @BeforeEach
  void open() throws IOException {
    engine = EmbeddedBroker.open(EngineConfig.inMemory());
    server = new FrameServer(engine);
    remote = RemoteBroker.at(config());
  }

  @AfterEach
  void close() {
    remote.close();
    server.close();
    engine.close();
  }

  private RemoteConfig config() {
    return RemoteConfig.of(server.address())
        .retries(3, Duration.ofMillis(1), Duration.ofMillis(5))
        .timeouts(WaitLimits.EVENT, WaitLimits.EVENT);
  }

  private void connect(RemoteConfig config) {
    remote.close();
    remote = RemoteBroker.at(config);
  }

  private static PushRequest message() {
    return PushRequest.of(NewMessage.to("q", new byte[] {1}));
  }

  private static PopRequest waitingPop() {
    return PopRequest.queue("q").waitMs(60_000);
  }

  private static CancelRequest cancel() {
    return new CancelRequest(MessageRef.id(UUID.randomUUID()));
  }

  private long waiting() {
    return engine.queue("q").orThrow().counts().waiting();
  }

  private int parked() {
    return engine.stats().orThrow().parkedPops();
  }

  private static Thread start(Runnable action) {
    return Thread.ofPlatform().start(action);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldAskAllVerbsOnOneConnection() {
    remote.push(message()).orThrow();
    Popped popped = remote.pop(PopRequest.queue("q")).orThrow();
    remote.settle(SettleRequest.of(Settle.ackAll(popped.leaseId()))).orThrow();

    assertThat(remote.stats().orThrow().totals().acked()).isEqualTo(1);
    assertThat(server.accepted()).isEqualTo(1);
    assertThat(server.overHttp()).isZero();
  }

  @Test
  void shouldGiveEachCallerItsAnswerWhenTheyComeInReverseOrder() {
    // given requests whose answers are held
    remote.stats().orThrow();
    server.hold(Verbs.QUEUE);
    List<String> names = new ArrayList<>();
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      String name = "queue-" + i;
      names.add(name);
      engine.push(PushRequest.of(NewMessage.to(name, new byte[] {1}))).orThrow();
      answers.add(
          CompletableFuture.supplyAsync(
              () -> remote.queue(name).orThrow().name(),
              i % 2 == 0 ? Thread::startVirtualThread : FramesTest::start));
    }
    await().until(() -> server.held() == 50);
    // when
    server.releaseReversed();
    // then
    assertThat(answers.stream().map(CompletableFuture::join)).isEqualTo(names);
    assertThat(server.accepted()).isEqualTo(1);
  }

  @Test
  void shouldAnswerAThousandVirtualThreads() throws Exception {
    AtomicInteger pushed = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        calls.add(
            threads.submit(
                () -> {
                  for (int turn = 0; turn < 3; turn++) {
                    remote.push(message()).orThrow();
                    pushed.incrementAndGet();
                  }
                }));
      }
      for (Future<?> call : calls) {
        call.get();
      }
    }
    assertThat(pushed).hasValue(3_000);
    assertThat(waiting()).isEqualTo(3_000);
    assertThat(server.accepted()).isLessThanOrEqualTo(2);
  }

  @Test
  void shouldAnswerAsynchronousAndBlockingCallsTogether() {
    AsyncResult<Popped> parkedPop = remote.popAsync(waitingPop().group("other"));
    List<AsyncResult<Pushed>> pushes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      pushes.add(remote.pushAsync(message()));
      if (i % 50 == 0) {
        remote.push(message()).orThrow();
      }
    }
    assertThat(pushes).allSatisfy(push -> assertThat(push.join().isOk()).isTrue());
    assertThat(parkedPop.join().orThrow().messages()).hasSize(1);
    assertThat(engine.queue("q").orThrow().counts().stored()).isEqualTo(510);
  }

  @Test
  void shouldReadAnswersThatComeInPieces() {
    server.pieces(3);
    engine
        .push(
            PushRequest.of(NewMessage.to("q", new byte[100_000]), NewMessage.to("q", new byte[1])))
        .orThrow();

    Popped popped = remote.pop(PopRequest.queue("q").batch(2)).orThrow();

    assertThat(popped.messages())
        .extracting(one -> one.message().payload().length)
        .containsExactly(100_000, 1);
  }

  @Test
  void shouldOpenAnotherConnectionForLargeRequests() {
    remote.push(message()).orThrow();
    remote.push(PushRequest.of(NewMessage.to("q", new byte[500_000]))).orThrow();
    remote.push(PushRequest.of(NewMessage.to("q", new byte[500_000]))).orThrow();

    assertThat(server.accepted()).isEqualTo(2);
  }

  @Test
  void shouldOpenAnotherConnectionIfOneIsFull() {
    List<AsyncResult<Popped>> pops = new ArrayList<>();
    for (int i = 0; i < Frames.REQUESTS_MAX + 100; i++) {
      pops.add(remote.popAsync(waitingPop()));
    }
    await().until(() -> parked() == pops.size());
    assertThat(server.accepted()).isEqualTo(2);
    pops.forEach(AsyncResult::stopWaiting);
    assertThat(pops).allSatisfy(pop -> assertThat(pop.join().orThrow().isEmpty()).isTrue());
  }

  // Interrupts

  @Test
  void shouldNotDisturbOthersByAnInterrupt() throws Exception {
    for (boolean virtual : new boolean[] {false, true}) {
      // given two pops that wait; the first of them reads the connection
      AtomicReference<Result<Popped>> first = new AtomicReference<>();
      AtomicReference<Result<Popped>> second = new AtomicReference<>();
      Thread.Builder threads = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
      Thread interrupted = threads.start(() -> first.set(remote.pop(waitingPop())));
      await().until(() -> parked() == 1);
      Thread other = threads.start(() -> second.set(remote.pop(waitingPop())));
      await().until(() -> parked() == 2);
      // when
      interrupted.interrupt();
      interrupted.join();
      // then
      assertThat(first.get().orThrow().isEmpty()).isTrue();
      assertThat(parked()).isEqualTo(1);
      engine.push(message()).orThrow();
      other.join();
      Popped popped = second.get().orThrow();
      assertThat(popped.messages()).hasSize(1);
      engine.settle(SettleRequest.of(Settle.ackAll(popped.leaseId()))).orThrow();
      assertThat(server.accepted()).isEqualTo(1);
    }
  }

  @Test
  void shouldAnswerAPushWhoseCallerIsInterrupted() throws Exception {
    remote.stats().orThrow();
    server.hold(Verbs.OPEN_SESSION);
    AtomicReference<Boolean> interrupted = new AtomicReference<>();
    Thread pushing =
        start(
            () -> {
              remote.push(message()).orThrow();
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    await().until(() -> server.held() == 1);

    pushing.interrupt();
    server.releaseReversed();
    pushing.join();

    assertThat(interrupted).hasValue(true);
    assertThat(waiting()).isEqualTo(1);
    assertThat(server.accepted()).isEqualTo(1);
  }

  @Test
  void shouldReturnTheMessagesThatTheServerSendsToAnInterruptedPop() throws Exception {
    // given a pop whose answer is under way when its thread is interrupted
    remote.stats().orThrow();
    server.hold(Verbs.POP);
    AtomicReference<Result<Popped>> answer = new AtomicReference<>();
    Thread popping = start(() -> answer.set(remote.pop(waitingPop())));
    await().until(() -> parked() == 1);
    engine.push(message()).orThrow();
    await().until(() -> server.held() == 1);
    // when
    popping.interrupt();
    server.releaseReversed();
    popping.join();
    // then
    assertThat(answer.get().orThrow().messages()).hasSize(1);
  }

  // Asynchronous results

  @Test
  void shouldStopWaiting() {
    AsyncResult<Popped> pop = remote.popAsync(waitingPop());
    await().until(() -> parked() == 1);

    pop.stopWaiting();

    assertThat(pop.join().orThrow().isEmpty()).isTrue();
    assertThat(parked()).isZero();
  }

  @Test
  void shouldStopTheWaitOfAnExtend() {
    remote.push(message()).orThrow();
    String lease = remote.pop(PopRequest.queue("q")).orThrow().leaseId();
    AsyncResult<?> extend = remote.extendAsync(new ExtendRequest(lease, 400_000, 60_000));
    await()
        .until(
            () -> engine.lease(lease).orThrow().untilMs() - System.currentTimeMillis() > 350_000);

    extend.stopWaiting();

    assertThat(extend.join().isOk()).isTrue();
  }

  @Test
  void shouldEndTheWaitOfACancelledPop() {
    AsyncResult<Popped> pop = remote.popAsync(waitingPop());
    await().until(() -> parked() == 1);

    pop.cancel(true);

    await().until(() -> parked() == 0);
    assertThat(pop).isCancelled();
  }

  @Test
  void shouldGiveBackWhatACancelledPopTook() {
    // given a pop that took a message, and an answer that is under way
    remote.push(message()).orThrow();
    server.hold(Verbs.POP);
    AsyncResult<Popped> pop = remote.popAsync(PopRequest.queue("q"));
    await().until(() -> server.held() == 1);
    // when
    pop.cancel(true);
    server.releaseReversed();
    // then
    await().until(() -> engine.stats().orThrow().totals().released() == 1);
    assertThat(remote.pop(PopRequest.queue("q")).orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldGiveBackWhatAPopTookWhoseResultTimedOut() {
    AsyncResult<Popped> pop = remote.popAsync(waitingPop());
    await().until(() -> parked() == 1);

    CompletableFuture<Result<Popped>> timed = pop.orTimeout(1, TimeUnit.MILLISECONDS);

    assertThatThrownBy(timed::join).hasCauseInstanceOf(TimeoutException.class);
    await().until(() -> parked() == 0);
  }

  @Test
  void shouldGiveBackWhatABlockingPopTookAfterItsTime() {
    // given a pop that is not answered in time, on a connection that is in use
    connect(config().retries(1, Duration.ofMillis(1), Duration.ofMillis(1)).timeouts(SHORT, SHORT));
    engine.push(message()).orThrow();
    remote.stats().orThrow();
    server.hold(Verbs.POP);
    assertThatThrownBy(() -> whileInUse(() -> remote.pop(PopRequest.queue("q"))))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("no answer came within 200 ms");
    // when
    server.releaseReversed();
    // then
    await().until(() -> engine.stats().orThrow().totals().released() == 1);
    assertThat(server.accepted()).isEqualTo(1);
  }

  /** Runs something while the connection is in use, so that it is not taken for dead. */
  private void whileInUse(Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    Thread other =
        start(
            () -> {
              while (!done.get()) {
                try {
                  remote.stats();
                } catch (UnreachableException slow) {
                  // The machine is busy.
                }
              }
            });
    try {
      action.run();
    } finally {
      done.set(true);
      join(other);
    }
  }

  @Test
  void shouldLetADependentActionAskTheBroker() {
    CompletableFuture<Boolean> second =
        remote.pushAsync(message()).thenApply(first -> remote.push(message()).isOk());

    assertThat(second.join()).isTrue();
    assertThat(waiting()).isEqualTo(2);
  }

  @Test
  void shouldRefuseAsynchronousCallsThatWaitWhenItIsClosed() {
    AsyncResult<Popped> pop = remote.popAsync(waitingPop());
    await().until(() -> parked() == 1);

    remote.close();

    assertThat(pop.join().refusal().code()).isEqualTo(ErrorCode.CLOSED);
    assertThat(remote.pushAsync(message()).join().refusal().code()).isEqualTo(ErrorCode.CLOSED);
    await().until(() -> parked() == 0);
  }

  // Failures

  @Test
  void shouldNotPushTwiceIfTheConnectionEndsInTheMiddleOfTheAnswer() {
    remote.stats().orThrow();
    server.cutNextAnswerOf(Verbs.PUSH);

    remote.push(message()).orThrow();

    assertThat(waiting()).isEqualTo(1);
    assertThat(server.accepted()).isEqualTo(2);
  }

  @Test
  void shouldRepeatAllAsynchronousPushesOfALostConnectionWithoutDuplicates() {
    remote.push(message()).orThrow();
    server.cutNextAnswerOf(Verbs.PUSH);
    List<AsyncResult<Pushed>> pushes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      pushes.add(remote.pushAsync(message()));
    }

    assertThat(pushes).allSatisfy(push -> assertThat(push.join().isOk()).isTrue());
    assertThat(waiting()).isEqualTo(201);
  }

  @Test
  void shouldGetTheSameMessagesIfTheConnectionEndsInTheAnswerOfAPop() {
    remote.push(message()).orThrow();
    server.cutNextAnswerOf(Verbs.POP);

    assertThat(remote.popAsync(PopRequest.queue("q")).join().orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldSayThatItIsInDoubtIfARepeatMightHarm() {
    remote.push(message()).orThrow();
    server.cutNextAnswerOf(Verbs.SETTLE);
    Settle unfenced =
        new Settle(
            new Settle.Target.Unfenced("g", MessageRef.id(UUID.randomUUID())),
            Settle.Outcome.ACK,
            null,
            0,
            false);

    assertThatThrownBy(() -> remote.settleAsync(SettleRequest.of(unfenced)).join())
        .cause()
        .isInstanceOfSatisfying(
            UnreachableException.class, e -> assertThat(e.isInDoubt()).isTrue());
  }

  @Test
  void shouldPresumeAConnectionDeadIfNothingComes() {
    connect(config().timeouts(WaitLimits.EVENT, SHORT).retries(1, SHORT, SHORT));
    remote.stats().orThrow();
    AsyncResult<Popped> pop = remote.popAsync(waitingPop());
    await().until(() -> parked() == 1);
    server.silent(true);

    assertThatThrownBy(() -> remote.cancel(cancel()))
        .isInstanceOfSatisfying(UnreachableException.class, e -> assertThat(e.isInDoubt()).isTrue())
        .hasMessageContaining("nothing came from the server for 200 ms");

    assertThatThrownBy(pop::join).hasCauseInstanceOf(UnreachableException.class);
    server.silent(false);
    assertThat(remote.stats().isOk()).isTrue();
    assertThat(server.accepted()).isEqualTo(2);
  }

  @Test
  void shouldEndAsynchronousCallsThatGetNoAnswer() {
    connect(config().timeouts(WaitLimits.EVENT, SHORT).retries(2, SHORT, SHORT));
    remote.stats().orThrow();
    server.silent(true);

    AsyncResult<?> push = remote.pushAsync(message());

    assertThatThrownBy(push::join).hasCauseInstanceOf(UnreachableException.class);
  }

  @Test
  void shouldNotEndOtherRequestsBecauseOneGetsNoAnswer() throws Exception {
    connect(config().timeouts(WaitLimits.EVENT, SHORT).retries(1, SHORT, SHORT));
    remote.stats().orThrow();
    AsyncResult<Popped> pop = remote.popAsync(waitingPop());
    await().until(() -> parked() == 1);
    server.hold(Verbs.CANCEL);

    assertThatThrownBy(() -> whileInUse(() -> remote.cancel(cancel())))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("no answer came within 200 ms");

    engine.push(message()).orThrow();
    assertThat(pop.join().orThrow().messages()).hasSize(1);
    assertThat(server.accepted()).isEqualTo(1);
  }

  @Test
  void shouldGiveUpSendingToAServerThatDoesNotRead() throws Exception {
    // given a server that reads nothing after the upgrade
    server.close();
    ServerSocket small = new ServerSocket();
    small.setReceiveBufferSize(4_096);
    small.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    server = new FrameServer(engine, small);
    connect(config().timeouts(WaitLimits.EVENT, SHORT).retries(1, SHORT, SHORT));
    server.deaf();
    byte[] payload = new byte[1 << 20];
    PushRequest large = new PushRequest(Collections.nCopies(15, NewMessage.to("q", payload)), "x");
    List<AsyncResult<Pushed>> pushes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      pushes.add(remote.pushAsync(large));
    }
    // then both kinds of callers give up, and know that nothing happened
    assertThatThrownBy(() -> remote.push(large))
        .isInstanceOfSatisfying(
            UnreachableException.class, e -> assertThat(e.isInDoubt()).isFalse())
        .hasMessageContaining("200 ms");
    assertThat(pushes)
        .allSatisfy(
            push ->
                assertThat(push.handle((result, failure) -> failure).join())
                    .isInstanceOfSatisfying(
                        UnreachableException.class, e -> assertThat(e.isInDoubt()).isFalse()));
  }

  @Test
  void shouldNoticeAConnectionThatEndedWhileNobodyUsedIt() {
    remote.stats().orThrow();
    server.cut();

    await().pollDelay(Duration.ofMillis(100)).until(() -> remote.cancel(cancel()) != null);
  }

  @Test
  void shouldEndTheConnectionIfTheServerSendsGarbage() {
    AsyncResult<Popped> pop = remote.popAsync(waitingPop());
    await().until(() -> parked() == 1);
    connect(config().retries(1, Duration.ofMillis(1), Duration.ofMillis(1)));
    AsyncResult<Popped> other = remote.popAsync(waitingPop());
    await().until(() -> parked() >= 1);

    server.send("HTTP/1.1 500 Oh no\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

    assertThatThrownBy(other::join)
        .hasCauseInstanceOf(UnreachableException.class)
        .hasMessageContaining("bytes that are no frame");
    assertThat(pop.join().refusal().code()).isEqualTo(ErrorCode.CLOSED);
  }

  // The end of a server

  @Test
  void shouldAwaitWhatIsUnderWayWhenTheServerAnnouncesItsEnd() throws Exception {
    try (FrameServer next = new FrameServer(engine)) {
      connect(
          RemoteConfig.of(server.address(), next.address())
              .timeouts(WaitLimits.EVENT, WaitLimits.EVENT));
      AsyncResult<Popped> pop = remote.popAsync(waitingPop());
      await().until(() -> parked() == 1);
      // when
      server.announceEnd();
      await().until(() -> remote.stats().isOk() && next.accepted() == 1);
      // then
      remote.push(message()).orThrow();
      assertThat(pop.join().orThrow().messages()).hasSize(1);
      assertThat(server.accepted()).isEqualTo(1);
      await().until(() -> server.open() == 0);
    }
  }

  @Test
  void shouldConnectAgainAfterTheServerAnnouncedItsEndToAnIdleClient() {
    remote.stats().orThrow();
    server.announceEnd();

    await()
        .pollDelay(Duration.ofMillis(100))
        .until(() -> remote.stats().isOk() && server.accepted() == 2);
    assertThat(server.open()).isEqualTo(1);
  }

  @Test
  void shouldReadAFrameThatComesWithTheUpgrade() {
    server.afterUpgrade(Frames.closing());
    assertThat(server.accepted()).isZero();

    connect(config().retries(1, Duration.ofMillis(1), Duration.ofMillis(1)));
    remote.stats().orThrow();
    server.afterUpgrade(new byte[0]);
    remote.stats().orThrow();

    assertThat(server.accepted()).isEqualTo(2);
  }

  // Servers without frames

  @Test
  void shouldUseHttpIfTheServerDoesNotUpgradeAndTryAgainLater() {
    ManualClock clock = new ManualClock();
    connect(config().time(clock));
    server.upgradeStatus(404);

    remote.push(message()).orThrow();
    assertThat(remote.pushAsync(message()).join().isOk()).isTrue();
    assertThat(server.heads()).hasSize(1);
    assertThat(server.overHttp()).isEqualTo(3);

    server.upgradeStatus(101);
    clock.advance(FrameConnections.HTTP_FOR);
    remote.push(message()).orThrow();

    assertThat(server.upgraded()).isEqualTo(1);
    assertThat(server.overHttp()).isEqualTo(3);
    assertThat(waiting()).isEqualTo(3);
  }

  @Test
  void shouldStopAnAsynchronousPopOverHttp() {
    server.upgradeStatus(426);
    AsyncResult<Popped> pop = remote.popAsync(waitingPop());
    await().until(() -> parked() == 1);

    pop.stopWaiting();

    assertThat(pop.join().orThrow().isEmpty()).isTrue();
  }

  @Test
  void shouldNotUseFramesIfToldSo() {
    connect(config().frames(false));

    remote.push(message()).orThrow();

    assertThat(server.heads()).isEmpty();
    assertThat(server.overHttp()).isEqualTo(2);
  }

  @Test
  void shouldReportRefusalsOfTheUpgradeAsThoseOfARequest() {
    server.upgradeStatus(401);
    assertThat(remote.stats().refusal().code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
    assertThat(remote.pushAsync(message()).join().refusal().code())
        .isEqualTo(ErrorCode.UNAUTHENTICATED);
    server.upgradeStatus(403);
    assertThat(remote.stats().refusal().code()).isEqualTo(ErrorCode.FORBIDDEN);
    server.upgradeStatus(503);
    assertThatThrownBy(remote::stats)
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("not!");
    assertThat(server.overHttp()).isZero();
  }

  @Test
  void shouldAskBelowTheBasePathAndWithTheToken() {
    server.basePath("/behind/a/proxy");
    connect(
        RemoteConfig.of(server.address() + "/behind/a/proxy/")
            .token("secret")
            .timeouts(WaitLimits.EVENT, WaitLimits.EVENT));
    remote.stats().orThrow();

    assertThat(server.heads())
        .singleElement()
        .asString()
        .startsWith("GET /behind/a/proxy/api/v1/frames HTTP/1.1\r\n")
        .contains("Authorization: Bearer secret\r\n")
        .contains("Upgrade: holdfast-frames/1\r\n");
  }
}
