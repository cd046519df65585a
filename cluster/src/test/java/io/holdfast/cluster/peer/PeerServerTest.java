package io.holdfast.cluster.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.wire.Verbs;
import io.holdfast.cluster.raft.Member;
import io.holdfast.cluster.raft.NodeState;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.command.LogPosition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of one node to another over a real connection, to a broker with data on the disk. */
@Tag("slow")
final class PeerServerTest {
  private static final String QUEUE = "orders";

  @TempDir private Path directory;
  private EmbeddedBroker broker;
  private PeerServer service;
  private Server server;
  private PeerConnection peer;
  private volatile CountDownLatch checkpoints = new CountDownLatch(0);

  @BeforeEach
  void start() throws IOException {
    broker = EmbeddedBroker.open(EngineConfig.at(directory.resolve("data")));
    service = new PeerServer(new Host(), CheckpointDirectory.at(directory.resolve("outgoing")));
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(service)
            .build()
            .start();
    peer = connect();
  }

  private PeerConnection connect() {
    return connect(Duration.ofMinutes(1));
  }

  private PeerConnection connect(Duration checkpointSilence) {
    String address = "127.0.0.1:" + server.getPort();
    return new PeerConnection(
        address, NettyChannelBuilder.forTarget(address).usePlaintext().build(), checkpointSilence);
  }

  @AfterEach
  void close() {
    peer.close();
    server.shutdownNow();
    service.close();
    broker.close();
  }

  private static PushRequest push() {
    return PushRequest.of(NewMessage.to(QUEUE, new byte[] {1, 2, 3}));
  }

  private static PopRequest pop() {
    return PopRequest.queue(QUEUE);
  }

  @Test
  void shouldAnswerVerbs() {
    // when
    peer.ask(Verbs.PUSH, push()).join().orThrow();
    Popped popped = peer.ask(Verbs.POP, pop()).join().orThrow();

    // then
    assertThat(popped.messages()).hasSize(1);
    assertThat(peer.ask(Verbs.QUEUE, new Verbs.Named(QUEUE)).join().isOk()).isTrue();
    assertThat(peer.ask(Verbs.QUEUE, new Verbs.Named("other")).join().isOk()).isFalse();
  }

  @Test
  void shouldEndTheWaitOfAPop() {
    // given
    PeerCall<PopRequest, Popped> parked = peer.ask(Verbs.POP, pop().waitMs(60_000));
    await().until(() -> broker.stats().orThrow().parkedPops() == 1);

    // when
    parked.stopWaiting();

    // then
    assertThat(parked.join().orThrow().isEmpty()).isTrue();
  }

  @Test
  void shouldEndPopsOfANodeThatIsGone() {
    // given
    CompletableFuture<?> _ = peer.ask(Verbs.POP, pop().waitMs(60_000));
    await().until(() -> broker.stats().orThrow().parkedPops() == 1);

    // when
    peer.close();

    // then
    await().until(() -> broker.stats().orThrow().parkedPops() == 0);
    broker.push(push()).orThrow();
    assertThat(broker.pop(pop()).orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldTellWhetherARequestWasSent() {
    // given
    peer.ask(Verbs.STATS, new Verbs.Nothing()).join();
    PeerCall<PopRequest, Popped> parked = peer.ask(Verbs.POP, pop().waitMs(60_000));
    await().until(() -> broker.stats().orThrow().parkedPops() == 1);

    // when
    server.shutdownNow();

    // then
    assertThat(failure(parked).wasSent()).isTrue();
    await().until(server::isTerminated);
    assertThat(failure(peer.ask(Verbs.PUSH, push())).wasSent()).isFalse();
  }

  private static PeerException failure(PeerCall<?, ?> call) {
    try {
      call.join();
    } catch (CompletionException failed) {
      return (PeerException) Objects.requireNonNull(failed.getCause());
    }
    throw new AssertionError("expected a failure");
  }

  @Test
  void shouldPassOnThatAnArgumentIsWrong() {
    // given
    broker.push(push()).orThrow();
    BrowseRequest wrong = BrowseRequest.queue(QUEUE).after("no place");

    // when, then
    assertThatThrownBy(() -> peer.ask(Verbs.BROWSE, wrong).join())
        .hasCauseInstanceOf(InvalidArgumentException.class);
  }

  @Test
  void shouldAnswerItsStatus() throws IOException {
    assertThat(peer.status()).isEqualTo(status());
  }

  @Test
  void shouldCopyACheckpointThatOpens() throws IOException {
    // given
    for (int i = 0; i < 50; i++) {
      broker.push(PushRequest.of(NewMessage.to(QUEUE, new byte[100_000]))).orThrow();
    }

    // when
    Path copy = peer.fetchCheckpoint(CheckpointDirectory.at(directory.resolve("incoming")));

    // then
    try (Broker opened = EmbeddedBroker.open(EngineConfig.at(copy))) {
      assertThat(opened.pop(pop().batch(100)).orThrow().messages()).hasSizeGreaterThan(10);
      assertThat(opened.queue(QUEUE).orThrow().counts().stored()).isEqualTo(50);
    }
    await().until(() -> isEmpty(directory.resolve("outgoing")));
  }

  @Test
  void shouldGiveUpANodeThatStopsSendingACheckpoint() throws Exception {
    // given
    checkpoints = new CountDownLatch(1);
    CheckpointDirectory incoming = CheckpointDirectory.at(directory.resolve("incoming"));
    try (PeerConnection patient = connect(Duration.ofMillis(50))) {
      // when
      CompletableFuture<String> failure =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return patient.fetchCheckpoint(incoming).toString();
                } catch (IOException failed) {
                  return "failed";
                }
              });

      // then
      await()
          .untilAsserted(
              () -> {
                patient.check();
                assertThat(failure).isCompletedWithValue("failed");
              });
    } finally {
      checkpoints.countDown();
    }
  }

  private static boolean isEmpty(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.findAny().isEmpty();
    }
  }

  @Test
  void shouldRefuseADamagedCheckpoint() {
    // given
    List<PeerFrame> frames =
        List.of(
            new PeerFrame(PeerFrame.FILE, 0, new byte[] {3, 1, 'a'}),
            new PeerFrame(PeerFrame.CHUNK, 0, new byte[] {1, 2, 3}),
            new PeerFrame(PeerFrame.FILE_END, 0, new byte[] {7}));

    // when, then
    assertThatThrownBy(() -> CheckpointReceiver.store(frames.iterator(), directory.resolve("in")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void shouldNotWriteOutsideOfTheCheckpoint() {
    // given
    List<PeerFrame> frames =
        List.of(new PeerFrame(PeerFrame.FILE, 0, new byte[] {3, 4, '.', '.', '/', 'a'}));

    // when, then
    assertThatThrownBy(() -> CheckpointReceiver.store(frames.iterator(), directory.resolve("in")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("leads out");
  }

  @Test
  void shouldPassOnWhyAnOperationFailed() {
    assertThatThrownBy(() -> peer.change(new MemberChange.Remove("n9")))
        .isInstanceOf(PeerException.class)
        .hasMessage("no member n9");
  }

  private static NodeStatus status() {
    Member self = new Member("n1~1", "127.0.0.1:1", "http://localhost");
    NodeState state = new NodeState(self, new UUID(1, 2), List.of(self));
    return new NodeStatus(state, "test", 1, 1, true, 3, 4, 5, 6, 7, 8, 9, List.of(), true);
  }

  private final class Host implements PeerHost {
    @Override
    public Broker broker() {
      return broker;
    }

    @Override
    public NodeStatus status() {
      return PeerServerTest.status();
    }

    @Override
    public CompletableFuture<Void> change(MemberChange change) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("no member " + ((MemberChange.Remove) change).name()));
    }

    @Override
    public LogPosition checkpoint(Path target) {
      try {
        checkpoints.await();
      } catch (InterruptedException closing) {
        throw new IllegalStateException(closing);
      }
      return broker.checkpoint(target);
    }
  }
}
