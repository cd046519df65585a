package io.holdfast.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.api.wire.Verbs;
import io.holdfast.client.Holdfast;
import io.holdfast.client.produce.BufferOptions;
import io.holdfast.client.produce.Outgoing;
import io.holdfast.client.produce.PushBuffer;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a remote broker does when the way to it, or its other end, fails. */
class RemoteBrokerTest {
  @TempDir Path directory;
  private Broker engine;
  private TestServer server;
  private Relay relay;
  private RemoteBroker remote;

  @BeforeEach
  void open() throws IOException {
    engine = EmbeddedBroker.open(EngineConfig.at(directory.resolve("data")));
    server = serve(engine);
    relay = new Relay(server.port());
    remote = RemoteBroker.at(config(relay.address()));
  }

  @AfterEach
  void close() {
    remote.close();
    relay.close();
    server.close();
  }

  /** Whether requests share connections. */
  boolean usesFrames() {
    return false;
  }

  TestServer serve(Broker broker) throws IOException {
    return TestServer.of(broker);
  }

  private RemoteConfig config(String... addresses) {
    return RemoteConfig.of(addresses)
        .frames(usesFrames())
        .retries(3, Duration.ofMillis(1), Duration.ofMillis(5))
        .timeouts(WaitLimits.EVENT, WaitLimits.EVENT);
  }

  private static PushRequest message() {
    return PushRequest.of(NewMessage.to("q", new byte[] {1}));
  }

  private long waiting() {
    return engine.queue("q").orThrow().counts().waiting();
  }

  @Test
  void shouldNotPushTwiceIfTheAnswerIsLost() {
    relay.loseAnswers(2);

    remote.push(message()).orThrow();

    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void shouldNotCommitTwiceIfTheAnswerIsLost() {
    relay.loseAnswers(1);
    Operation append = new Operation.AppendJournal("j", 0, List.of(new byte[] {1}));

    remote.commit(new CommitRequest(List.of(append), null)).orThrow();

    assertThat(engine.journal(new JournalRequest("j", 0, 10)).orThrow().length()).isEqualTo(1);
  }

  @Test
  void shouldSayThatItIsInDoubtIfARepeatMightHarm() {
    remote.push(message()).orThrow();
    relay.loseAnswers(1);

    assertThatThrownBy(() -> remote.cancel(cancel()))
        .isInstanceOfSatisfying(UnreachableException.class, e -> assertThat(e.isInDoubt()).isTrue())
        .hasMessageContaining("whether it took effect is not known");
  }

  @Test
  void shouldSayThatNothingHappenedIfNobodyListens() throws IOException {
    // A socket that is bound but does not listen: the port refuses, and nobody else can take it.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      assertRefused(bound.getLocalPort());
    }
  }

  private void assertRefused(int port) {
    try (RemoteBroker nowhere = RemoteBroker.at(config("http://127.0.0.1:" + port))) {
      assertThatThrownBy(() -> nowhere.cancel(new CancelRequest(MessageRef.id(UUID.randomUUID()))))
          .isInstanceOfSatisfying(
              UnreachableException.class, e -> assertThat(e.isInDoubt()).isFalse())
          .hasMessageContaining("127.0.0.1:" + port)
          .hasMessageContaining("cannot be reached");
    }
  }

  @Test
  void shouldTellARepeatedSettleFromAFirst() {
    remote.push(message()).orThrow();
    Popped popped = remote.pop(PopRequest.queue("q")).orThrow();
    relay.loseAnswers(1);

    Result<Settled> settled =
        remote.settle(SettleRequest.of(Settle.ack(popped.messages().get(0).handle())));

    assertThat(settled.orThrow().verdicts())
        .extracting(SettleVerdict::status)
        .containsExactly(Status.ALREADY_SETTLED);
  }

  @Test
  void shouldNotRepeatAPopThatMayHavePutSomethingIntoALease() {
    // given
    for (int i = 0; i < 3; i++) {
      remote.push(message()).orThrow();
    }
    Popped first = remote.pop(PopRequest.queue("q")).orThrow();
    relay.loseAnswers(1);
    // when
    assertThatThrownBy(() -> remote.pop(PopRequest.queue("q").joinLease(first.leaseId())))
        .isInstanceOfSatisfying(
            UnreachableException.class, e -> assertThat(e.isInDoubt()).isTrue());
    // then: a repeat would have brought the third before the second.
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void shouldGetTheSameMessagesIfTheAnswerOfAPopIsLost() {
    // given an ordered partition, which a lease locks
    remote.push(message()).orThrow();
    remote.push(message()).orThrow();
    relay.loseAnswers("pop", 1);

    // when
    Popped popped = remote.pop(PopRequest.queue("q").batch(2)).orThrow();

    // then
    assertThat(popped.messages()).hasSize(2);
    assertThat(engine.queue("q").orThrow().counts().inFlight()).isEqualTo(2);
    assertThat(engine.lease(popped.leaseId()).orThrow().open()).isEqualTo(2);
  }

  /** Starts the server again on the stored data, or on none, behind the same address. */
  private void restart(String data) throws IOException {
    server.close();
    engine = EmbeddedBroker.open(EngineConfig.at(directory.resolve(data)));
    server = serve(engine);
    relay.cut();
    relay.target(server.port());
  }

  @Test
  void shouldNotPushTwiceIfTheServerIsRestartedBeforeTheRepeat() throws IOException {
    // given a push whose answer is lost, sent once
    RequestNumber number = new RequestNumber(remote.openSession().orThrow().id(), 0, 1);
    RemoteBroker once =
        RemoteBroker.at(
            config(relay.address()).retries(1, Duration.ofMillis(1), Duration.ofMillis(5)));
    relay.loseAnswers("push", 1);
    assertThatThrownBy(() -> once.push(message().number(number)))
        .isInstanceOf(UnreachableException.class);
    once.close();

    // when
    restart("data");
    remote.push(message().number(number)).orThrow();

    // then
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void shouldGetTheSameMessagesIfTheServerIsRestartedBeforeTheRepeat() throws IOException {
    // given a pop whose answer is lost, sent once
    remote.push(message()).orThrow();
    PopRequest request = PopRequest.queue("q").attemptId("attempt");
    RemoteBroker once =
        RemoteBroker.at(
            config(relay.address()).retries(1, Duration.ofMillis(1), Duration.ofMillis(5)));
    relay.loseAnswers("pop", 1);
    assertThatThrownBy(() -> once.pop(request)).isInstanceOf(UnreachableException.class);
    once.close();

    // when
    restart("data");

    // then
    assertThat(remote.pop(request).orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldOpenAnotherSessionIfTheBrokerDoesNotKnowIts() throws IOException {
    // given
    remote.push(message()).orThrow();
    restart("empty");
    // Nothing is in doubt: the connection that broke carries a request that only reads.
    remote.stats().orThrow();

    // when
    remote.push(message()).orThrow();

    // then
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void shouldSayThatTheOutcomeIsUnknownIfTheBrokerHasForgottenTheRequest() {
    // given a session that the broker has dropped, and an answer that is lost
    RequestNumber number = new RequestNumber("AAAAAAAAAAE", 0, 1);
    relay.loseAnswers("push", 1);

    // then
    assertThatThrownBy(() -> remote.push(message().number(number)))
        .isInstanceOfSatisfying(UnreachableException.class, e -> assertThat(e.isInDoubt()).isTrue())
        .hasMessageContaining("AAAAAAAAAAE")
        .hasMessageContaining("check for its effect before sending it again");
    assertThat(engine.queue("q").isOk()).isFalse();
  }

  @Test
  void shouldGoToTheNextAddressIfOneFails() throws IOException {
    try (Relay other = new Relay(server.port());
        RemoteBroker either = RemoteBroker.at(config(relay.address(), other.address()))) {
      either.push(message()).orThrow();
      assertThat(other.accepted()).isZero();

      relay.mode(Relay.Mode.REFUSE);
      relay.cut();
      either.push(message()).orThrow();
      either.push(message()).orThrow();

      assertThat(waiting()).isEqualTo(3);
      assertThat(other.accepted()).isEqualTo(1);
    }
  }

  @Test
  void shouldLeaveAnAddressAloneThatFailsOften() {
    relay.mode(Relay.Mode.REFUSE);
    try (RemoteBroker tired =
        RemoteBroker.at(config(relay.address()).rest(3, Duration.ofMinutes(10)))) {
      assertThatThrownBy(tired::stats).isInstanceOf(UnreachableException.class);
      int tried = relay.accepted();
      assertThat(tried).isEqualTo(3);

      assertThatThrownBy(tired::stats)
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("left alone");

      assertThat(relay.accepted()).isEqualTo(tried);
    }
  }

  @Test
  void shouldTryAnAddressAgainThatHasRested() {
    relay.mode(Relay.Mode.REFUSE);
    try (RemoteBroker tired =
        RemoteBroker.at(config(relay.address()).rest(3, Duration.ofMillis(20)))) {
      assertThatThrownBy(tired::stats).isInstanceOf(UnreachableException.class);

      relay.mode(Relay.Mode.PASS);

      await().ignoreExceptions().until(() -> tired.stats().isOk());
    }
  }

  @Test
  void shouldNotHoldUpOthersByAPopThatIsTheFirstAfterTheRest() throws Exception {
    // given an address that rests
    ManualClock clock = new ManualClock();
    relay.mode(Relay.Mode.REFUSE);
    RemoteConfig config =
        RemoteConfig.of(relay.address())
            .frames(usesFrames())
            .retries(1, Duration.ofMillis(1), Duration.ofMillis(5))
            .rest(1, Duration.ofMinutes(10))
            .time(clock);
    try (RemoteBroker tired = RemoteBroker.at(config)) {
      assertThatThrownBy(tired::stats).isInstanceOf(UnreachableException.class);
      relay.mode(Relay.Mode.PASS);
      assertThatThrownBy(() -> tired.pop(PopRequest.queue("q").waitMs(60_000)))
          .hasMessageContaining("left alone");
      // when it has rested, and a pop is the first to ask
      clock.advance(Duration.ofMinutes(10));
      Thread waiting =
          Thread.ofPlatform().start(() -> tired.pop(PopRequest.queue("q").waitMs(60_000)));
      await().until(() -> engine.stats().orThrow().parkedPops() == 1);
      // then
      assertThat(tired.push(message()).isOk()).isTrue();
      waiting.join();
      assertThat(tired.stats().isOk()).isTrue();
    }
  }

  @Test
  void shouldWaitUntilAnAddressHasRestedIfThereIsTime() {
    // given an address that rests for less time than a call has
    ManualClock clock = new ManualClock();
    relay.mode(Relay.Mode.REFUSE);
    RemoteConfig config =
        RemoteConfig.of(relay.address())
            .frames(usesFrames())
            .retries(1, Duration.ofMillis(1), Duration.ofMillis(5))
            .rest(1, Duration.ofSeconds(20))
            .time(clock);
    try (RemoteBroker tired = RemoteBroker.at(config)) {
      assertThatThrownBy(tired::stats).isInstanceOf(UnreachableException.class);
      relay.mode(Relay.Mode.PASS);
      // when two calls are made
      List<CompletableFuture<Boolean>> calls = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        calls.add(
            CompletableFuture.supplyAsync(
                () -> tired.push(message()).isOk(), Thread::startVirtualThread));
      }
      // then both wait, and the answer to the one that tries it lets the other go on
      await()
          .untilAsserted(
              () -> {
                clock.advance(Duration.ofSeconds(1));
                assertThat(calls).allMatch(CompletableFuture::isDone);
              });
      assertThat(calls).allMatch(call -> call.getNow(false));
      assertThat(Duration.ofNanos(clock.nanos())).isLessThan(Duration.ofSeconds(60));
    }
  }

  @Test
  void shouldNotWaitForAnAddressThatRestsLongerThanTheCallHas() {
    // given an address that rests
    ManualClock clock = new ManualClock();
    relay.mode(Relay.Mode.REFUSE);
    RemoteConfig config =
        RemoteConfig.of(relay.address())
            .frames(usesFrames())
            .timeouts(WaitLimits.EVENT, Duration.ofSeconds(10))
            .retries(1, Duration.ofMillis(1), Duration.ofMillis(5))
            .rest(1, Duration.ofSeconds(20))
            .time(clock);
    try (RemoteBroker tired = RemoteBroker.at(config)) {
      assertThatThrownBy(tired::stats).isInstanceOf(UnreachableException.class);
      int tried = relay.accepted();
      // then
      assertThatThrownBy(tired::stats)
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("left alone");
      assertThat(relay.accepted()).isEqualTo(tried);
    }
  }

  @Test
  void shouldStopWaitingForARestWhenItIsClosed() {
    // given a call that waits for an address that rests
    ManualClock clock = new ManualClock();
    relay.mode(Relay.Mode.REFUSE);
    RemoteConfig config =
        RemoteConfig.of(relay.address())
            .frames(usesFrames())
            .retries(1, Duration.ofMillis(1), Duration.ofMillis(5))
            .rest(1, Duration.ofSeconds(20))
            .time(clock);
    RemoteBroker tired = RemoteBroker.at(config);
    assertThatThrownBy(tired::stats).isInstanceOf(UnreachableException.class);
    CompletableFuture<ErrorCode> refused = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform().start(() -> refused.complete(tired.stats().refusal().code()));
    await().until(() -> waiting.getState() == Thread.State.WAITING);
    // when
    tired.close();
    // then
    assertThat(refused.join()).isEqualTo(ErrorCode.CLOSED);
  }

  @Test
  void shouldNotWaitForeverForAnAnswer() {
    RemoteConfig config = config(relay.address()).timeouts(WaitLimits.EVENT, Duration.ofMillis(50));
    try (RemoteBroker impatient = RemoteBroker.at(config)) {
      await().ignoreExceptions().until(() -> impatient.stats().isOk());
      relay.mode(Relay.Mode.SWALLOW);
      assertThatThrownBy(() -> impatient.cancel(cancel()))
          .isInstanceOfSatisfying(
              UnreachableException.class, e -> assertThat(e.isInDoubt()).isTrue());
      assertThatThrownBy(impatient::stats)
          .as("a read has no effect that could be in doubt")
          .isInstanceOfSatisfying(
              UnreachableException.class, e -> assertThat(e.isInDoubt()).isFalse());
    }
  }

  private static CancelRequest cancel() {
    return new CancelRequest(MessageRef.id(UUID.randomUUID()));
  }

  /** Larger than what the operating system buffers; with a request id, it needs no session. */
  private static PushRequest large() {
    byte[] payload = new byte[1 << 20];
    return new PushRequest(Collections.nCopies(15, NewMessage.to("q", payload)), "large");
  }

  /** A server that accepts connections and reads nothing. */
  private static ServerSocket deaf() throws IOException {
    ServerSocket deaf = new ServerSocket();
    deaf.setReceiveBufferSize(4_096);
    deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return deaf;
  }

  private RemoteBroker impatient(ServerSocket server) {
    return RemoteBroker.at(
        config("http://127.0.0.1:" + server.getLocalPort())
            .timeouts(WaitLimits.EVENT, Duration.ofMillis(100)));
  }

  @Test
  void shouldNotWaitForeverToSend() throws IOException {
    try (ServerSocket deaf = deaf();
        RemoteBroker impatient = impatient(deaf)) {
      assertTimeoutPreemptively(
          WaitLimits.EVENT,
          () ->
              assertThatThrownBy(() -> impatient.push(large()))
                  .isInstanceOfSatisfying(
                      UnreachableException.class, e -> assertThat(e.isInDoubt()).isFalse())
                  .hasMessageContaining("100 ms"));
    }
  }

  @Test
  void shouldCloseABufferThatCannotSend() throws IOException {
    try (ServerSocket deaf = deaf();
        RemoteBroker impatient = impatient(deaf)) {
      // given
      BufferOptions options = BufferOptions.of(15, Duration.ZERO).retryFor(Duration.ofMillis(200));
      PushBuffer buffer = Holdfast.on(impatient).queue("q").buffer(options);
      List<CompletableFuture<PushedMessage>> pushed = new ArrayList<>();
      for (int i = 0; i < 15; i++) {
        pushed.add(buffer.push(Outgoing.bytes(new byte[1 << 20])));
      }
      // when
      assertTimeoutPreemptively(WaitLimits.EVENT, buffer::close);
      // then
      assertThat(pushed).allMatch(CompletableFuture::isCompletedExceptionally);
    }
  }

  @Test
  void shouldNoticeAConnectionThatEndedWhileNobodyUsedIt() {
    remote.push(message()).orThrow();
    relay.cut();
    await().pollDelay(Duration.ofMillis(100)).until(() -> remote.cancel(cancel()) != null);

    assertThat(remote.push(message()).isOk()).isTrue();
  }

  @Test
  void shouldNotTryEachOfManyConnectionsThatEndedTogether() throws Exception {
    // Under a clock so slow all connections count as just used, and none is looked at.
    try (RemoteBroker busy = RemoteBroker.at(config(relay.address()).time(new SlowClock()))) {
      List<Thread> waiting = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        waiting.add(
            Thread.ofPlatform().start(() -> busy.pop(PopRequest.queue("q").waitMs(60_000))));
      }
      await().until(() -> engine.stats().orThrow().parkedPops() == 8);
      for (int i = 0; i < 8; i++) {
        engine.push(PushRequest.of(NewMessage.to("q", new byte[] {1}).partition("p" + i)));
      }
      for (Thread thread : waiting) {
        thread.join();
      }

      relay.cut();

      assertThat(busy.push(message()).isOk()).isTrue();
    }
  }

  /** Time that passes at a hundredth of the usual pace. */
  private static final class SlowClock implements TimeSource {
    @Override
    public long wallMs() {
      return TimeSource.SYSTEM.wallMs() / 100;
    }

    @Override
    public long nanos() {
      return TimeSource.SYSTEM.nanos() / 100;
    }

    @Override
    public void parkUntil(long nanos) {
      TimeSource.SYSTEM.parkUntil(nanos * 100);
    }
  }

  @Test
  void shouldGoOnAfterTheServerStartedAgain() throws IOException {
    remote.push(message()).orThrow();

    server.close();
    engine = EmbeddedBroker.open(EngineConfig.at(directory.resolve("data")));
    server = serve(engine);
    relay.target(server.port());

    remote.push(message()).orThrow();
    assertThat(waiting()).isEqualTo(2);
  }

  @Test
  void shouldAnswerAnInterruptedPopAtOnceAndKeepTheInterrupt() throws Exception {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  Popped popped = remote.pop(PopRequest.queue("q").waitMs(60_000)).orThrow();
                  interrupted.complete(popped.isEmpty() && Thread.currentThread().isInterrupted());
                });
    await().until(() -> engine.stats().orThrow().parkedPops() == 1);

    waiting.interrupt();

    assertThat(interrupted.get()).isTrue();
    await().until(() -> engine.stats().orThrow().parkedPops() == 0);
    remote.push(message()).orThrow();
    assertThat(remote.pop(PopRequest.queue("q")).orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldNotBeginToWaitIfTheThreadIsInterrupted() {
    PopRequest request = PopRequest.queue("q").waitMs(60_000);
    Caller caller = new Caller(config(relay.address()));
    Thread.currentThread().interrupt();

    assertThatThrownBy(
            () -> caller.ask(new Ask<>(Verbs.POP, request::waitMs, request.waitMs(), Ask.ALWAYS)))
        .isInstanceOf(UnreachableException.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(engine.stats().orThrow().parkedPops()).isZero();
    caller.close();
  }

  @Test
  void shouldAnswerAnInterruptedExtendWithoutWaiting() throws Exception {
    remote.push(message()).orThrow();
    String lease = remote.pop(PopRequest.queue("q")).orThrow().leaseId();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  boolean ok = remote.extend(new ExtendRequest(lease, 400_000, 60_000)).isOk();
                  interrupted.complete(ok && Thread.currentThread().isInterrupted());
                });
    await().until(() -> leftMs(lease) > 350_000);

    waiting.interrupt();
    waiting.join();

    assertThat(interrupted).isCompletedWithValue(true);
  }

  private long leftMs(String lease) {
    return engine.lease(lease).orThrow().untilMs() - System.currentTimeMillis();
  }

  @Test
  void shouldSendWhatIsToBeSentThoughTheThreadIsInterrupted() {
    Thread.currentThread().interrupt();

    Result<?> pushed = remote.push(message());

    assertThat(Thread.interrupted()).isTrue();
    assertThat(pushed.isOk()).isTrue();
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void shouldRefuseWhatWaitsWhenItIsClosed() throws Exception {
    AtomicReference<Result<Popped>> answer = new AtomicReference<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> answer.set(remote.pop(PopRequest.queue("q").waitMs(60_000))));
    await().until(() -> engine.stats().orThrow().parkedPops() == 1);

    remote.close();
    waiting.join();

    assertThat(answer.get().refusal().code()).isEqualTo(ErrorCode.CLOSED);
    assertThat(remote.stats().refusal().code()).isEqualTo(ErrorCode.CLOSED);
    assertThat(engine.stats().isOk()).isTrue();
  }

  @Test
  void shouldSayWhatIsWrongWithAnArgument() {
    TasksRequest wrong = new TasksRequest("q", null, "no cursor", 5);

    assertThatThrownBy(() -> remote.tasks(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("after: expected");
  }

  @Test
  void shouldSayWhenTheOtherEndIsNoBroker() throws IOException {
    try (RemoteBroker lost = RemoteBroker.at(config(relay.address() + "/elsewhere"))) {
      assertThatThrownBy(lost::stats)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("does not take this request");
    }
  }

  @Test
  void shouldRefuseAddressesItCannotUse() {
    assertThatThrownBy(() -> RemoteConfig.of())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one");
    assertThatThrownBy(() -> RemoteConfig.of("localhost:6632"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http://localhost:6632");
    assertThatThrownBy(() -> RemoteConfig.of("http://x").token("a b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("token");
    assertThatThrownBy(
            () ->
                RemoteConfig.of("http://x")
                    .retries(3, Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("backoffMax");
  }

  @Test
  void shouldNotShowTheToken() {
    assertThat(RemoteConfig.of("http://x").token("secret").toString()).doesNotContain("secret");
  }
}
