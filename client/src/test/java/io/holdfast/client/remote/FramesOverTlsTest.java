package io.holdfast.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.SelfSigned;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Frames under TLS: the same, and only to a server that is trusted. */
@Tag("slow")
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FramesOverTlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir static Path directory;
  private static SelfSigned own;
  private static SelfSigned another;

  private final EmbeddedBroker engine = EmbeddedBroker.open(EngineConfig.inMemory());
  private final List<FrameServer> servers = new ArrayList<>();

  @BeforeAll
  static void makeKeys() {
    own = SelfSigned.of(directory, "own", "localhost");
    another = SelfSigned.of(directory, "another", "elsewhere");
  }

  @AfterEach
  void close() {
    servers.forEach(FrameServer::close);
    engine.close();
  }

  private RemoteConfig serve(String name) throws Exception {
    FrameServer server = new FrameServer(engine, listening(directory.resolve(name + ".p12")));
    servers.add(server);
    return RemoteConfig.of("https://localhost:" + server.port())
        .retries(1, Duration.ofMillis(1), Duration.ofMillis(1))
        .timeouts(WaitLimits.EVENT, WaitLimits.EVENT);
  }

  private static ServerSocket listening(Path keys) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context
        .getServerSocketFactory()
        .createServerSocket(0, 50, InetAddress.getByName("localhost"));
  }

  private static PushRequest message(int bytes) {
    return PushRequest.of(NewMessage.to("q", new byte[bytes]));
  }

  @Test
  void shouldCarryManyRequestsOfAnySize() throws Exception {
    try (RemoteBroker remote = RemoteBroker.at(serve("own").tls(own.trusting()));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int bytes = i % 10 == 0 ? 900_000 : i * 300;
        calls.add(threads.submit(() -> remote.push(message(bytes)).orThrow()));
      }
      for (Future<?> call : calls) {
        call.get();
      }
      assertThat(engine.queue("q").orThrow().counts().stored()).isEqualTo(100);
      Popped popped = remote.pop(PopRequest.queue("q").batch(100)).orThrow();
      assertThat(popped.messages()).isNotEmpty();
      assertThat(servers.get(0).overHttp()).isZero();
    }
  }

  @Test
  void shouldStopWaiting() throws Exception {
    try (RemoteBroker remote = RemoteBroker.at(serve("own").tls(own.trusting()))) {
      AsyncResult<Popped> pop = remote.popAsync(PopRequest.queue("q").waitMs(60_000));
      await().until(() -> engine.stats().orThrow().parkedPops() == 1);

      pop.stopWaiting();

      assertThat(pop.join().orThrow().isEmpty()).isTrue();
    }
  }

  @Test
  void shouldNotAskAServerThatIsNotTrustedOrHasAnotherName() throws Exception {
    assertThatNothingWasAsked(serve("own"));
    assertThatNothingWasAsked(serve("another").tls(another.trusting()));
  }

  private void assertThatNothingWasAsked(RemoteConfig config) {
    try (RemoteBroker remote = RemoteBroker.at(config)) {
      assertThatThrownBy(() -> remote.push(message(1)))
          .isInstanceOfSatisfying(
              UnreachableException.class, e -> assertThat(e.isInDoubt()).isFalse());
    }
    assertThat(servers).allSatisfy(server -> assertThat(server.heads()).isEmpty());
  }
}
