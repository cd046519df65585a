package io.holdfast.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.wire.Verbs;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS: who is trusted, and what else is not. */
class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir Path directory;
  private final AtomicReference<String> authorization = new AtomicReference<>("");

  private KeyStore keys(String name) throws Exception {
    Path file = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD),
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:" + name)
            .redirectErrorStream(true)
            .start();
    keytool.getInputStream().readAllBytes();
    assertThat(keytool.waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  /** A server that refuses everything, in the form of a broker. */
  private HttpsServer serve(KeyStore keys) throws Exception {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          authorization.set(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          byte[] body = Verbs.refusalBytes(Refusal.of(ErrorCode.NOT_FOUND, "no such queue"));
          exchange.getResponseHeaders().set("Content-Type", Verbs.CONTENT_TYPE);
          exchange.sendResponseHeaders(404, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static SSLContext trusting(KeyStore keys) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("server"));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private static RemoteConfig config(HttpsServer server) {
    return RemoteConfig.of("https://localhost:" + server.getAddress().getPort())
        .retries(1, Duration.ofMillis(1), Duration.ofMillis(1));
  }

  @Test
  void shouldAskAServerItTrustsAndShowItsToken() throws Exception {
    KeyStore keys = keys("localhost");
    HttpsServer server = serve(keys);
    try (RemoteBroker broker =
        RemoteBroker.at(config(server).tls(trusting(keys)).token("secret"))) {
      assertThat(broker.queue("q").refusal().detail()).isEqualTo("no such queue");
      assertThat(broker.queue("q").refusal().code()).isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(authorization).hasValue("Bearer secret");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void shouldNotAskAServerThatNobodyVouchesFor() throws Exception {
    HttpsServer server = serve(keys("localhost"));
    try (RemoteBroker broker = RemoteBroker.at(config(server).token("secret"))) {
      assertThatThrownBy(() -> broker.queue("q"))
          .isInstanceOfSatisfying(
              UnreachableException.class, e -> assertThat(e.isInDoubt()).isFalse());
      assertThat(authorization).hasValue("");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void shouldNotAskAServerOfAnotherName() throws Exception {
    KeyStore keys = keys("elsewhere");
    HttpsServer server = serve(keys);
    try (RemoteBroker broker =
        RemoteBroker.at(config(server).tls(trusting(keys)).token("secret"))) {
      assertThatThrownBy(() -> broker.queue("q"))
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("localhost");
      assertThat(authorization).hasValue("");
    } finally {
      server.stop(0);
    }
  }
}
