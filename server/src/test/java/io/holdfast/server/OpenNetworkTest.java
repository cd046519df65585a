package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server without tokens that other machines can reach, and so the browsers on them. */
class OpenNetworkTest extends ServerFixture {
  private static final String POP = "/api/v1/pop/queue/q?autoAck=true";

  @Override
  protected ServerConfig config() {
    return super.config().host("0.0.0.0");
  }

  private Reply ask(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  private void push() {
    post("/api/v1/push", "{'items':[{'queue':'q','payload':1}]}").expect(201);
  }

  private void expectRefused(Reply reply) {
    assertThat(reply.expect(403).text("/error")).contains("X-Requested-With");
    assertThat(get("/api/v1/resources/queues/q").expect(200).http().body())
        .contains("\"pending\":1");
  }

  /** Over plain HTTP a browser does not say that a picture belongs to a page of another site. */
  @Test
  void shouldPopNothingForThePictureOfAWebPage() {
    push();
    expectRefused(ask(POP, "Accept", "image/avif,image/webp,*/*", "User-Agent", "Mozilla/5.0"));
    expectRefused(ask("/api/v1/pop/queue/q/partition/Default?autoAck=true"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "same-origin"})
  void shouldPopNothingForALinkThatABrowserFollows(String site) {
    push();
    expectRefused(ask(POP, "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate"));
  }

  @Test
  void shouldPopForProgramsAndForPagesOfItsOwn() {
    push();
    ask(POP, "X-Requested-With", "curl").expect(200);
    push();
    ask(POP, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors").expect(200);
    push();
    post("/api/v1/pop", "{'queue':'q','autoAck':true}").expect(200);
  }

  @Test
  void shouldAskNothingMoreOfWhatOnlyReads() {
    push();
    ask("/api/v1/resources/queues/q").expect(200);
    ask("/api/v1/resources/queues/q", "Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate")
        .expect(200);
  }
}
