package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Limits;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.http.Patience;
import io.holdfast.server.tls.TlsFiles;
import io.holdfast.server.tls.TlsKeeper;
import io.holdfast.testkit.SelfSigned;
import io.holdfast.testkit.WaitLimits;
import io.netty.handler.ssl.JdkSslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that speaks TLS. */
@Tag("slow")
class TlsServerTest {
  @TempDir static Path directory;
  private static SelfSigned keys;
  private static SelfSigned others;

  private EmbeddedBroker broker;
  private HoldfastServer server;

  @BeforeAll
  static void makeKeys() {
    keys = SelfSigned.of(directory, "first", "localhost");
    others = SelfSigned.of(directory, "second", "localhost");
  }

  @BeforeEach
  void start() {
    start(config());
  }

  private void restart(ServerConfig config) {
    server.close();
    start(config);
  }

  private void start(ServerConfig config) {
    broker = EmbeddedBroker.open(EngineConfig.inMemory());
    server = HoldfastServer.start(config.port(0), broker);
  }

  private static ServerConfig config() {
    return ServerConfig.defaults().tls(new TlsFiles(keys.certificate(), keys.key()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static ConditionFactory await() {
    return Awaitility.await().pollInterval(Duration.ofMillis(10));
  }

  private SSLSocket connect(SSLContext context, String... protocols) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port());
    if (protocols.length > 0) {
      socket.setEnabledProtocols(protocols);
    }
    socket.startHandshake();
    return socket;
  }

  private HttpResponse<String> push(HttpClient client, String queue)
      throws IOException, InterruptedException {
    String body = "{\"items\":[{\"queue\":\"%s\",\"payload\":1}]}".formatted(queue);
    return client.send(
        HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/api/v1/push"))
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static HttpClient client(SSLContext context) {
    return HttpClient.newBuilder().sslContext(context).build();
  }

  @Test
  void shouldServeAClientThatTrustsItAndNoOther() throws Exception {
    try (HttpClient trusting = client(keys.trusting());
        HttpClient doubting = client(others.trusting())) {
      assertThat(push(trusting, "orders").statusCode()).isEqualTo(201);
      assertThatThrownBy(() -> push(doubting, "orders")).isInstanceOf(SSLHandshakeException.class);
      assertThat(broker.queue("orders").orThrow().counts().waiting()).isEqualTo(1);
    }
  }

  @Test
  void shouldSpeakOnlyTheNewerVersions() throws Exception {
    for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
      try (SSLSocket socket = connect(keys.trusting(), protocol)) {
        assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
      }
    }
    assertThatThrownBy(() -> connect(keys.trusting(), "TLSv1.1")).isInstanceOf(IOException.class);
  }

  @Test
  void shouldNotAnswerInTheClear() throws Exception {
    try (Poll poll = Poll.connect(server.port())) {
      poll.ask("orders", 0);
      assertThat(poll.answer()).doesNotContain("HTTP/1.1");
    }
    assertThat(broker.queue("orders").isOk()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldForgetThePollOfAClientThatIsGone(String protocol) throws Exception {
    // given
    Poll stays = Poll.over(connect(keys.trusting(), protocol));
    Poll goes = Poll.over(connect(keys.trusting(), protocol));
    stays.ask("orders", Limits.WAIT_MS_MAX);
    goes.ask("orders", Limits.WAIT_MS_MAX);
    await().until(() -> broker.stats().orThrow().parkedPops() == 2);
    // when
    goes.close();
    // then
    await().until(() -> broker.stats().orThrow().parkedPops() == 1);
    try (HttpClient client = client(keys.trusting())) {
      push(client, "orders");
    }
    assertThat(stays.answer()).startsWith("HTTP/1.1 200");
    // What was read ahead while it waited is not lost.
    stays.ask("more", Limits.WAIT_MS_MAX);
    await().until(() -> broker.stats().orThrow().parkedPops() == 1);
    stays.ask("none", 0);
    try (HttpClient client = client(keys.trusting())) {
      push(client, "more");
    }
    assertThat(stays.answer()).startsWith("HTTP/1.1 200");
    assertThat(stays.answer()).startsWith("HTTP/1.1 204");
    stays.close();
  }

  @Test
  void shouldHangUpOnAClientThatDoesNotShakeHands() throws Exception {
    restart(config().patience(Patience.usual().pause(Duration.ofSeconds(4))));
    try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), server.port());
        Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      silent.setSoTimeout((int) WaitLimits.EVENT.toMillis());
      slow.setSoTimeout((int) WaitLimits.EVENT.toMillis());
      slow.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
      assertThat(ended(silent)).isTrue();
      assertThat(ended(slow)).isTrue();
    }
    try (SSLSocket quick = connect(keys.trusting())) {
      assertThat(quick.getSession().isValid()).isTrue();
    }
  }

  private static boolean ended(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException silent) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  void shouldTakeOverANewCertificateWhileItRuns() throws Exception {
    // given
    SelfSigned used =
        new SelfSigned(
            directory.resolve("used-cert.pem"), directory.resolve("used-key.pem"), keys.trusting());
    keys.replace(used);
    restart(ServerConfig.defaults().tls(new TlsFiles(used.certificate(), used.key())));
    connect(keys.trusting()).close();
    // when
    others.replace(used);
    // then
    await()
        .until(
            () -> {
              try (SSLSocket socket = connect(others.trusting())) {
                return socket.isConnected();
              } catch (SSLException notYet) {
                return false;
              }
            });
    assertThatThrownBy(() -> connect(keys.trusting())).isInstanceOf(SSLException.class);
  }

  @Test
  void shouldTryAFileAgainThatItCouldNotUse() throws Exception {
    // given
    SelfSigned used =
        new SelfSigned(
            directory.resolve("late-cert.pem"), directory.resolve("late-key.pem"), keys.trusting());
    keys.replace(used);
    TlsKeeper keeper =
        new TlsKeeper(new TlsFiles(used.certificate(), used.key()), Duration.ofSeconds(1));
    others.replace(used);
    byte[] key = Files.readAllBytes(used.key());
    FileTime time = FileTime.fromMillis(0);
    // when
    Files.write(used.key(), new byte[key.length]);
    Files.setLastModifiedTime(used.key(), time);
    keeper.look();
    keeper.look();
    assertThat(serves(keeper, keys)).isTrue();
    // then
    // As after a chmod: it is the same file, as long and as old, but it can be used.
    Files.write(used.key(), key);
    Files.setLastModifiedTime(used.key(), time);
    keeper.look();
    assertThat(serves(keeper, others)).isTrue();
  }

  private static boolean serves(TlsKeeper keeper, SelfSigned trusted) throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket door =
            ((JdkSslContext) keeper.context())
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 1, here);
        SSLSocket client =
            (SSLSocket)
                trusted.trusting().getSocketFactory().createSocket(here, door.getLocalPort())) {
      Thread server =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (SSLSocket accepted = (SSLSocket) door.accept()) {
                      accepted.startHandshake();
                    } catch (IOException refused) {
                      // The client tells.
                    }
                  });
      try {
        client.startHandshake();
        return true;
      } catch (SSLException doubted) {
        return false;
      } finally {
        server.join();
      }
    }
  }

  @Test
  void shouldSayWhatIsWrongWithItsFiles() throws Exception {
    Path missing = directory.resolve("missing.pem");
    Path encrypted = directory.resolve("encrypted.pem");
    Files.writeString(
        encrypted,
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n");
    Path unknown = directory.resolve("unknown.pem");
    Files.writeString(
        unknown,
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getEncoder().encodeToString(new byte[] {1, 2, 3})
            + "\n-----END PRIVATE KEY-----\n");
    refuses(new TlsFiles(missing, keys.key()), missing + ": there is no such file");
    refuses(new TlsFiles(keys.key(), keys.key()), "expected certificates in PEM");
    refuses(new TlsFiles(keys.certificate(), encrypted), "openssl pkcs8 -topk8 -nodes");
    refuses(new TlsFiles(keys.certificate(), unknown), "expected a private key of RSA, EC");
    refuses(
        new TlsFiles(keys.certificate(), others.key()),
        "expected the key of the first certificate");
  }

  private void refuses(TlsFiles files, String why) {
    ServerConfig config = ServerConfig.defaults().port(0).tls(files);
    assertThatThrownBy(() -> HoldfastServer.start(config, broker))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
