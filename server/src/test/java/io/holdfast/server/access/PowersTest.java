package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What no role may do in a roundabout way that it may not do straight. */
class PowersTest extends ServerFixture {
  private String admin = "";
  private String worker = "";

  @Override
  protected ServerConfig config() {
    TokenFile file = new TokenFile(temp.resolve("tokens"));
    admin = token(file, Role.ADMIN);
    worker = token(file, Role.READ_WRITE);
    return super.config().tokens(file.path());
  }

  private String token(TokenFile file, Role role) {
    TokenWish wish = new TokenWish(role.word(), role, NamePatterns.of(List.of("*")), 0);
    return file.create(wish, clock.wallMs()).text();
  }

  private Reply as(String token, String path, String body) {
    return send(
        HttpRequest.newBuilder(uri(path))
            .POST(BodyPublishers.ofString(body.replace('\'', '"')))
            .header("Authorization", "Bearer " + token)
            .build());
  }

  @Test
  void shouldLetNobodyChangeTheRecordsOfTheServer() {
    for (String token : List.of(admin, worker)) {
      for (String operation :
          List.of(
              "{'type':'putRecord','key':'holdfast/maintenance','value':1}",
              "{'type':'putRecord','key':'holdfast/trace/0','value':1}",
              "{'type':'deleteRecord','key':'holdfast/maintenance'}")) {
        Reply refused =
            as(token, "/api/v1/commit", "{'operations':[" + operation + "]}").expect(403);
        assertThat(refused.text("/error")).contains("is the server's own");
      }
      as(token, "/api/v1/commit", "{'operations':[{'type':'putRecord','key':'h','value':1}]}")
          .expect(200);
    }
  }
}
