package io.holdfast.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.Routes;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenWish;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every route answers as recorded in the files of {@code src/test/resources/answers}: the status,
 * the type and each byte of the body, except for values that are random. {@code ./holdfast answers}
 * records them again; {@link Transcript} describes the files.
 */
class RecordedAnswersTest extends ServerFixture {
  private static final Path FILES = Path.of("src", "test", "resources", "answers");

  /**
   * Recorded by {@link io.holdfast.server.verbs.VerbAnswersTest}, because their bodies are bytes.
   */
  private static final String VERBS = "/api/v1/verbs/";

  /** Headers that are part of an answer. */
  private static final Pattern HEADERS =
      Pattern.compile("(?:x-)?holdfast-.*|allow|retry-after|www-authenticate|location");

  private final StableValues values = new StableValues();
  private final Map<String, String> kept = new HashMap<>();

  static boolean isWriting() {
    return "write".equals(System.getProperty("holdfast.answers"));
  }

  static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(FILES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".txt"))
          .sorted()
          .toList();
    }
  }

  /** With tokens, because some routes answer only then. */
  @Override
  protected ServerConfig config() {
    TokenFile tokens = new TokenFile(temp.resolve("tokens"));
    if (!Files.exists(tokens.path())) {
      TokenWish wish = new TokenWish("recorder", Role.ADMIN, NamePatterns.of(List.of("*")), 0);
      TokenFile.Made made = tokens.create(wish, clock.wallMs());
      kept.put("admin", made.text());
      values.name(made.text(), "admin");
      values.name(made.token().id(), "admin-id");
    }
    return super.config().tokens(tokens.path());
  }

  @ParameterizedTest
  @MethodSource("files")
  void shouldAnswerAsRecorded(String name) {
    // given
    Path file = FILES.resolve(name);
    // when
    StringBuilder lines = new StringBuilder();
    for (Transcript.Step step : Transcript.read(file)) {
      lines
          .append(lines.isEmpty() ? "" : "\n")
          .append(String.join("\n", step.lines()))
          .append('\n');
      answer(step).forEach(line -> lines.append(line).append('\n'));
    }
    // then
    if (isWriting()) {
      Transcript.write(file, lines.toString());
    }
    assertThat(lines.toString())
        .as(name + ": answers differ from those recorded; if that is intended: ./holdfast answers")
        .isEqualTo(Transcript.text(file));
  }

  private List<String> answer(Transcript.Step step) {
    for (String seconds : step.settings("advance")) {
      advanceSeconds(Long.parseLong(seconds));
      // A command does first what is due by then; otherwise the ticker does it, a moment later.
      broker.openSession().orThrow();
    }
    if (!step.settings("checkpoints").isEmpty()) {
      restartWithCheckpoints();
    }
    if (step.request().isEmpty()) {
      return List.of();
    }
    Reply reply = send(request(step));
    keep(step, reply);
    List<String> lines = new ArrayList<>();
    lines.add(
        Transcript.ANSWER + " " + (reply.status() + " " + reply.header("Content-Type")).strip());
    reply.http().headers().map().entrySet().stream()
        .filter(header -> HEADERS.matcher(header.getKey()).matches())
        .forEach(header -> lines.add("> " + header.getKey() + ": " + header.getValue().getFirst()));
    String body = reply.http().body();
    if (!body.isEmpty()) {
      shown(step, body).lines().forEach(line -> lines.add(Transcript.ANSWER + " " + line));
    }
    return lines;
  }

  private String shown(Transcript.Step step, String body) {
    List<String> any =
        step.settings("any").stream().flatMap(fields -> Stream.of(fields.split(" "))).toList();
    if (any.contains("*")) {
      return "<any>";
    }
    // Values that are not compared are not counted either.
    String hidden = body;
    for (String field : any) {
      hidden = StableValues.hide(hidden, field);
    }
    String stable = values.stable(hidden);
    return stable.startsWith("{") || stable.startsWith("[") ? JsonLines.of(stable) : stable;
  }

  private void restartWithCheckpoints() {
    server.close();
    broker = new CheckpointedBroker(EmbeddedBroker.open(EngineConfig.inMemory(), clock), clock);
    server = HoldfastServer.start(config(), broker, clock);
  }

  private HttpRequest request(Transcript.Step step) {
    String body = filled(step.body());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(filled(step.path())))
            .method(
                step.method(),
                body.isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body, StandardCharsets.UTF_8));
    String type =
        body.isEmpty() ? "" : step.settings("type").stream().findAny().orElse("application/json");
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    String token = step.settings("token").stream().findAny().orElse("${admin}");
    request.header("X-Request-Id", "recorded");
    if (step.settings("no token").isEmpty()) {
      request.header("Authorization", "Bearer " + filled(token));
    }
    return request.build();
  }

  private String filled(String text) {
    String filled = text;
    for (Map.Entry<String, String> one : kept.entrySet()) {
      filled = filled.replace("${" + one.getKey() + "}", one.getValue());
    }
    assertThat(filled).as("every value of the request is kept before").doesNotContain("${");
    return filled;
  }

  private void keep(Transcript.Step step, Reply reply) {
    for (String line : step.kept()) {
      String[] words = line.split(" ");
      String value = reply.json().at(words[2]).asString();
      kept.put(words[0], value);
      if (words[1].equals("~")) {
        values.name(value, words[0]);
      }
    }
  }

  /** The recorded calls, as the method and the path before its query. */
  private static List<String> recorded() throws IOException {
    List<String> calls = new ArrayList<>();
    for (String file : files()) {
      Transcript.read(FILES.resolve(file)).stream()
          .map(step -> step.request().replaceFirst("\\?.*", ""))
          .forEach(calls::add);
    }
    return calls;
  }

  @Test
  void shouldHaveARecordedCallOfEveryRoute() throws IOException {
    List<Route> routes = new Routes(broker, clock, new Traffic()).all();
    List<String> recorded = recorded();
    List<String> missing =
        routes.stream()
            .filter(route -> !route.path().startsWith(VERBS))
            .filter(route -> recorded.stream().noneMatch(call -> isOf(call, route, routes)))
            .map(RecordedAnswersTest::nameOf)
            .toList();
    assertThat(missing).as("routes without a recorded call").isEmpty();
  }

  private static String nameOf(Route route) {
    return route.method() + " " + route.path();
  }

  /** Whether a call is of a route and of no route with fewer names in its path. */
  private static boolean isOf(String call, Route route, List<Route> routes) {
    return call.matches(pattern(route))
        && routes.stream()
            .filter(other -> call.matches(pattern(other)))
            .noneMatch(other -> names(other) < names(route));
  }

  private static long names(Route route) {
    return route.path().chars().filter(c -> c == '{').count();
  }

  private static String pattern(Route route) {
    return Stream.of(nameOf(route).split("/", -1))
        .map(part -> part.startsWith("{") ? "[^/]+" : Pattern.quote(part))
        .collect(Collectors.joining("/"));
  }
}
