package io.holdfast.client.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenWish;
import io.holdfast.server.tls.TlsFiles;
import io.holdfast.testkit.SelfSigned;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that speaks TLS and asks for tokens: who is trusted, and what else is not. */
@Tag("slow")
class TlsTest {
  @TempDir static Path directory;
  private static SelfSigned keys;
  private static SelfSigned keysOfAnother;
  private static String token;

  private final EmbeddedBroker served = EmbeddedBroker.open(EngineConfig.inMemory());
  private final List<HoldfastServer> servers = new ArrayList<>();

  @BeforeAll
  static void makeKeys() {
    keys = SelfSigned.of(directory, "own", "localhost");
    keysOfAnother = SelfSigned.of(directory, "another", "elsewhere");
    TokenWish wish = new TokenWish("test", Role.READ_WRITE, NamePatterns.of(List.of("orders")), 0);
    token = new TokenFile(directory.resolve("tokens")).create(wish, 1).text();
  }

  @AfterEach
  void stop() {
    servers.forEach(HoldfastServer::close);
    served.close();
  }

  private RemoteConfig serve(SelfSigned shown) {
    HoldfastServer server =
        HoldfastServer.start(
            ServerConfig.defaults()
                .port(0)
                .tokens(directory.resolve("tokens"))
                .tls(new TlsFiles(shown.certificate(), shown.key())),
            served);
    servers.add(server);
    return RemoteConfig.of("https://localhost:" + server.port())
        .retries(1, Duration.ofMillis(1), Duration.ofMillis(1));
  }

  private static PushRequest push(String queue) {
    return PushRequest.of(NewMessage.to(queue, "12".getBytes(UTF_8)));
  }

  private void assertThatNothingWasAsked(RemoteConfig config) {
    try (Broker broker = RemoteBroker.at(config)) {
      assertThatThrownBy(() -> broker.push(push("orders")))
          .isInstanceOfSatisfying(
              UnreachableException.class, e -> assertThat(e.isInDoubt()).isFalse())
          .hasMessageContaining("localhost");
    }
    assertThat(served.queue("orders").refusal().code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldPushAndPopAtAServerItTrusts() {
    RemoteConfig config = serve(keys).tls(keys.trusting()).token(token);
    try (Broker broker = RemoteBroker.at(config)) {
      broker.push(push("orders")).orThrow();

      assertThat(broker.pop(PopRequest.queue("orders")).orThrow().messages())
          .singleElement()
          .satisfies(
              delivery -> assertThat(delivery.message().payload()).asString().isEqualTo("12"));
    }
  }

  @Test
  void shouldTellThatATokenIsMissingOrDoesNotAllowIt() {
    RemoteConfig config = serve(keys).tls(keys.trusting());
    try (Broker stranger = RemoteBroker.at(config);
        Broker known = RemoteBroker.at(config.token(token))) {
      assertThat(stranger.push(push("orders")).refusal().code())
          .isEqualTo(ErrorCode.UNAUTHENTICATED);
      assertThat(known.push(push("bills")).refusal().code()).isEqualTo(ErrorCode.FORBIDDEN);
    }
  }

  @Test
  void shouldNotAskAServerThatNobodyVouchesFor() {
    assertThatNothingWasAsked(serve(keys).token(token));
  }

  @Test
  void shouldNotAskAServerOfAnotherName() {
    assertThatNothingWasAsked(serve(keysOfAnother).tls(keysOfAnother.trusting()).token(token));
  }
}
