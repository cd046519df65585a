package io.holdfast.server.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.server.ServerFixture;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Every verb answers as recorded in {@code answers/verbs.recorded}: status, type and bytes. {@code
 * ./holdfast answers} records them again.
 */
class VerbAnswersTest extends ServerFixture {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Path FILE = Path.of("src", "test", "resources", "answers", "verbs.recorded");

  /** Verbs whose answers contain ids or times that are random. */
  private static final Set<Verb<?, ?>> RANDOM =
      Set.of(Verbs.PUSH, Verbs.OPEN_SESSION, Verbs.COMMIT, Verbs.STATS);

  private String answer(Verb<?, ?> verb, byte[] body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(Verbs.PATH + verb.name()))
            .POST(BodyPublishers.ofByteArray(body))
            .header("Content-Type", Verbs.CONTENT_TYPE)
            .header("X-Request-Id", "recorded")
            .build();
    HttpResponse<byte[]> reply = CLIENT.send(request, BodyHandlers.ofByteArray());
    String type = reply.headers().firstValue("Content-Type").orElse("");
    String bytes =
        type.equals(Verbs.CONTENT_TYPE)
            ? HexFormat.of().formatHex(reply.body())
            : new String(reply.body(), StandardCharsets.UTF_8);
    if (RANDOM.contains(verb) && reply.statusCode() == 200) {
      bytes = "<any>";
    }
    return "%s %d %s %s%n".formatted(verb.name(), reply.statusCode(), type, bytes);
  }

  @Test
  void shouldAnswerAsRecorded() throws IOException, InterruptedException {
    // given
    StringBuilder lines = new StringBuilder();
    Map<Verb<?, ?>, byte[]> requests = VerbRoutesTest.requests();
    // when
    for (Verb<?, ?> verb : Verbs.ALL) {
      lines.append(answer(verb, Objects.requireNonNull(requests.get(verb))));
      lines.append(answer(verb, new byte[] {99}));
    }
    // then
    if ("write".equals(System.getProperty("holdfast.answers"))) {
      Files.writeString(FILE, lines);
    }
    assertThat(lines.toString().lines().toList())
        .as("answers of verbs differ from those recorded; if that is intended: ./holdfast answers")
        .isEqualTo(Files.exists(FILE) ? Files.readAllLines(FILE) : List.of());
  }
}
