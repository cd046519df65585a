package io.holdfast.server.frames;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.wire.Verbs;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenWish;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What tokens allow in frames: the same as over HTTP. */
class FrameAccessTest extends ServerFixture {
  private static final PopRequest WAITING = PopRequest.queue("mine").waitMs(60_000);

  private final Map<Role, TokenFile.Made> tokens = new EnumMap<>(Role.class);

  @Override
  protected ServerConfig config() {
    tokens.put(Role.ADMIN, make(Role.ADMIN, "*"));
    tokens.put(Role.WRITE_ONLY, make(Role.WRITE_ONLY, "*"));
    tokens.put(Role.READ_WRITE, make(Role.READ_WRITE, "mine"));
    return super.config().tokens(file().path());
  }

  private TokenFile.Made token(Role role) {
    return Objects.requireNonNull(tokens.get(role));
  }

  private TokenFile file() {
    return new TokenFile(temp.resolve("tokens"));
  }

  private TokenFile.Made make(Role role, String queues) {
    return file()
        .create(new TokenWish("test", role, NamePatterns.of(List.of(queues)), 0), clock.wallMs());
  }

  private FrameClient connect(String token) {
    return FrameClient.connect(server.port(), token);
  }

  private static PushRequest push(String queue) {
    return PushRequest.of(NewMessage.to(queue, "a".getBytes(UTF_8)));
  }

  @Test
  void shouldUpgradeOnlyWithAToken() {
    assertThat(connect("hf_unknown").head).startsWith("HTTP/1.1 401 ");
    assertThat(connect(token(Role.ADMIN).text()).head).startsWith("HTTP/1.1 101 ");
  }

  @Test
  void shouldAllowTheVerbsOfTheRole() {
    try (FrameClient client = connect(token(Role.WRITE_ONLY).text())) {
      // when
      client.send(Verbs.PUSH, 1, push("any"));
      FrameClient.Reply pushed = client.read();
      client.send(Verbs.POP, 2, PopRequest.queue("any"));
      FrameClient.Reply popped = client.read();
      // then
      pushed.answer(Verbs.PUSH);
      assertThat(popped.problemStatus()).isEqualTo(403);
      assertThat(popped.problem()).contains("write-only");
    }
  }

  @Test
  void shouldAllowTheQueuesOfTheToken() {
    try (FrameClient client = connect(token(Role.READ_WRITE).text())) {
      // when
      client.send(Verbs.PUSH, 1, push("mine"));
      FrameClient.Reply own = client.read();
      client.send(Verbs.PUSH, 2, push("other"));
      FrameClient.Reply other = client.read();
      client.send(Verbs.POP, 3, PopRequest.queue("mine"));
      FrameClient.Reply popped = client.read();
      // then
      own.answer(Verbs.PUSH);
      assertThat(other.refusal().code()).isEqualTo(ErrorCode.FORBIDDEN);
      assertThat(popped.answer(Verbs.POP).messages()).hasSize(1);
    }
  }

  @Test
  void shouldCloseTheConnectionWhenItsTokenIsRevoked() {
    try (FrameClient client = connect(token(Role.READ_WRITE).text())) {
      // given
      client.send(Verbs.POP, 1, WAITING);
      await().until(() -> broker.stats().orThrow().parkedPops() == 1);
      // when
      file().revoke(token(Role.READ_WRITE).token().id(), clock.wallMs());
      // then
      assertThat(client.isClosedByServer()).isTrue();
      await().until(() -> broker.stats().orThrow().parkedPops() == 0);
    }
  }
}
