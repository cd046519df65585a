package io.holdfast.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.ServerFixture;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The files of the dashboard are there, can be shown without harm, and nothing else is. */
class AssetRoutesTest extends ServerFixture {
  private static final Pattern INLINE =
      Pattern.compile("<script([^>]*)>(.*?)</script>", Pattern.DOTALL);
  private static final Pattern LOADED = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern IMPORTED =
      Pattern.compile("(?:\\bfrom|\\bimport)\\s*\\(?\\s*['\"]([^'\"\\s]+)['\"]");

  @Test
  void shouldLetThePageDoOnlyWhatItNeeds() throws Exception {
    // when
    Reply page = get("/").expect(200);
    // then
    Matcher scripts = INLINE.matcher(page.http().body());
    assertThat(scripts.find()).isTrue();
    String digest =
        Base64.getEncoder()
            .encodeToString(
                MessageDigest.getInstance("SHA-256")
                    .digest(scripts.group(2).getBytes(StandardCharsets.UTF_8)));
    assertThat(page.header("Content-Security-Policy"))
        .isEqualTo(
            "default-src 'none'; script-src 'self' 'sha256-"
                + digest
                + "'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self';"
                + " form-action 'none'; base-uri 'none'; frame-ancestors 'none'");
    assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(page.header("X-Frame-Options")).isEqualTo("DENY");
    assertThat(page.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
    assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
  }

  @Test
  void shouldHaveNoInlineScriptOrStyleButTheImportMap() {
    String page = get("/").http().body();
    assertThat(page).doesNotContainPattern("(?i)\\son\\w+=|\\sstyle=|<style");
    assertThat(INLINE.matcher(page).results().filter(script -> !script.group(2).isBlank()))
        .singleElement()
        .satisfies(script -> assertThat(script.group(1)).isEqualTo(" type=\"importmap\""));
  }

  /** Follows what the page loads and what its scripts import, as a browser would. */
  @Test
  void shouldHaveEveryFileThatIsLoadedOrImported() {
    // given
    String page = get("/").http().body();
    Map<String, String> imports = new LinkedHashMap<>();
    Matcher scripts = INLINE.matcher(page);
    assertThat(scripts.find()).isTrue();
    JsonNode map = JSON.readTree(scripts.group(2)).get("imports");
    map.properties().forEach(entry -> imports.put(entry.getKey(), entry.getValue().asString()));
    Deque<String> wanted = new ArrayDeque<>();
    LOADED.matcher(page).results().forEach(found -> wanted.add(found.group(1)));
    imports.values().stream().filter(target -> target.endsWith(".js")).forEach(wanted::add);
    Set<String> seen = new HashSet<>();
    // when
    while (!wanted.isEmpty()) {
      String path = wanted.remove();
      if (!seen.add(path)) {
        continue;
      }
      Reply file = get(path).expect(200);
      if (path.endsWith(".js")) {
        assertThat(file.header("Content-Type")).isEqualTo("text/javascript; charset=utf-8");
        IMPORTED
            .matcher(file.http().body().replaceAll("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$", ""))
            .results()
            .forEach(found -> wanted.add(resolved(path, found.group(1), imports)));
      }
    }
    // then
    String version = version();
    assertThat(version).matches("[0-9a-f]{16}");
    assertThat(seen)
        .allMatch(path -> path.matches("/(docs|(assets|vendor)/" + version + "/.*)"))
        .contains("/assets/" + version + "/app.js")
        .contains("/vendor/" + version + "/reactive-element/css-tag.js")
        .contains("/vendor/" + version + "/chart/chunks/helpers.dataset.js")
        .contains("/vendor/" + version + "/color/color.esm.js");
  }

  private static String resolved(String from, String name, Map<String, String> imports) {
    if (name.startsWith(".") || name.startsWith("/")) {
      return Path.of(from).resolveSibling(name).normalize().toString();
    }
    String exact = imports.get(name);
    if (exact != null) {
      return exact;
    }
    return imports.entrySet().stream()
        .filter(entry -> entry.getKey().endsWith("/") && name.startsWith(entry.getKey()))
        .map(entry -> entry.getValue() + name.substring(entry.getKey().length()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(from + " imports " + name + ": not in the map"));
  }

  private String version() {
    Matcher script = Pattern.compile("/assets/([^/]+)/app.js").matcher(get("/").http().body());
    assertThat(script.find()).isTrue();
    return script.group(1);
  }

  @Test
  void shouldLetTheBrowserKeepFilesOfThisVersionOnly() {
    assertThat(get("/assets/" + version() + "/app.js").expect(200).header("Cache-Control"))
        .isEqualTo("public, max-age=31536000, immutable");
    assertThat(get("/vendor/" + version() + "/lit/index.js").expect(200).header("Cache-Control"))
        .isEqualTo("public, max-age=31536000, immutable");
    assertThat(get("/assets/old/app.js").expect(200).header("Cache-Control")).isEqualTo("no-cache");
    assertThat(get("/").expect(200).header("Cache-Control")).isEqualTo("no-cache");
  }

  @Test
  void shouldCompressForABrowserAndSendNothingTwice() {
    // given
    HttpRequest request =
        HttpRequest.newBuilder(uri("/assets/x/app.js")).header("Accept-Encoding", "gzip").build();
    Reply packed = send(request);
    // when
    Reply same =
        send(
            HttpRequest.newBuilder(uri("/assets/x/app.js"))
                .headers("Accept-Encoding", "gzip", "If-None-Match", packed.header("ETag"))
                .build());
    // then
    assertThat(packed.expect(200).header("Content-Encoding")).isEqualTo("gzip");
    assertThat(same.expect(304).http().body()).isEmpty();
  }

  @Test
  void shouldAskTheBrowserToRevalidateAndSendNothingTwice() {
    // given
    Reply first = get("/assets/old/app.js").expect(200);
    String tag = first.header("ETag");
    assertThat(tag).matches("W/\"[A-Za-z0-9_-]{24}\"");
    // when
    Reply same = conditional("/assets/old/app.js", "\"other\", " + tag);
    Reply changed = conditional("/assets/old/app.js", "\"other\"");
    // then
    assertThat(same.expect(304).http().body()).isEmpty();
    assertThat(same.header("ETag")).isEqualTo(tag);
    assertThat(changed.expect(200).http().body()).isEqualTo(first.http().body());
  }

  private Reply conditional(String path, String tags) {
    return send(HttpRequest.newBuilder(uri(path)).header("If-None-Match", tags).build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/assets/v/index.html",
        "/assets/v/nope.js",
        "/assets/v/AssetRoutes.class",
        "/assets/v/..%2Fdocs/style.css",
        "/assets/v/%2e%2e/style.css",
        "/assets/v/..%2fstyle.css",
        "/assets/v/lib%2F..%2Fapp.js",
        "/assets/v/%5c..%5capp.js",
        "/assets/v/app.js%00.css",
        "/assets/v/.js",
        "/vendor/v/nope/index.js",
        "/vendor/v/lit/package.json",
        "/vendor/v/lit/../lit/index.js",
        "/vendor/v/lit/%2e%2e/index.js",
        "/vendor/v/..%2flit/index.js",
        "/vendor/v/lit/LICENSE"
      })
  void shouldHandOutNothingElse(String path) {
    // A path that climbs is no good request; whatever else there is not, is not there.
    assertThat(get(path).status()).isEqualTo(path.matches(".*/(\\.\\.|%2e%2e)/.*") ? 400 : 404);
  }

  @Test
  void shouldReadAFolderAnewEachTime() throws IOException {
    // given
    Path script = temp.resolve("app.js");
    Files.writeString(script, "one");
    Files.writeString(temp.resolve("secret.txt"), "secret");
    AssetFiles files = new AssetFiles(temp);
    Asset first = files.own("app.js");
    // when
    Files.writeString(script, "two");
    Asset second = files.own("app.js");
    // then
    assertThat(first).isNotNull();
    assertThat(second).isNotNull();
    assertThat(new String(second.bytes(), StandardCharsets.UTF_8)).isEqualTo("two");
    assertThat(second.etag()).isNotEqualTo(first.etag());
    assertThat(files.own("secret.txt")).isNull();
    assertThat(files.own("nope.js")).isNull();
    assertThat(files.vendor("lit", "index.js")).isNotNull();
  }
}
