package io.holdfast.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.Routes;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.http.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page about the HTTP interface says what the routes say. */
class HttpApiDocTest extends ServerFixture {
  private static final Path PAGE = Path.of("..", "docs", "http-api.md");

  @Test
  void shouldBeWhatTheRoutesSay() throws IOException {
    String expected = ApiMarkdown.of(new Routes(broker, clock, new Traffic()).all());
    if ("write".equals(System.getProperty("holdfast.docs"))) {
      Files.writeString(PAGE, expected);
    }
    assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
        .as("docs/http-api.md is not what the routes say; write it again with: ./holdfast docs")
        .isEqualTo(expected);
  }
}
