package io.holdfast.server.dashboard;

import io.holdfast.json.Schema;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the dashboard: one page, its styles and scripts. All of it is public.
 *
 * <p>The page names the version of its files in their paths, so browsers keep them until there are
 * others. A path with another version, which an old page has, gets the current file, to be asked
 * for again.
 */
public final class AssetRoutes {
  private static final String TOPIC = "Dashboard";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String REVALIDATED = "no-cache";
  private static final String IMMUTABLE = "public, max-age=31536000, immutable";

  private final AssetFiles files = AssetFiles.configured();
  private @Nullable Answer page;

  public List<Route> routes() {
    return List.of(
        Route.get("/", Access.PUBLIC, TOPIC, "The dashboard, for a browser", call -> page())
            .answers(200, "the page", Schema.document("text/html; charset=utf-8"))
            .answers(304, "the browser has it as it is"),
        file(
            "/assets/{version}/{file}",
            "A style, script or image of the dashboard",
            call -> answer(call, own(call))),
        file(
            "/assets/{version}/{folder}/{file}",
            "A script of the dashboard",
            call -> answer(call, files.own(call.part("folder"), call.part("file")))),
        file(
            "/vendor/{version}/{library}/{file}",
            "A script of a library",
            call -> answer(call, files.vendor(call.part("library"), call.part("file")))),
        file(
            "/vendor/{version}/{library}/{folder}/{file}",
            "A script of a library",
            call ->
                answer(
                    call,
                    files.vendor(call.part("library"), call.part("folder"), call.part("file")))));
  }

  private static Route file(String path, String summary, Route.Action action) {
    return Route.get(path, Access.PUBLIC, TOPIC, summary, action)
        .answers(200, "the file", Schema.document(SCRIPT))
        .answers(304, "the browser has it as it is");
  }

  private synchronized Answer page() {
    Answer known = page;
    if (known == null || files.version().equals(AssetFiles.UNVERSIONED)) {
      Asset made = files.page();
      known =
          answer(made, REVALIDATED)
              .header(
                  "Content-Security-Policy",
                  PagePolicy.of(made == null ? new byte[0] : made.bytes()))
              .header("Referrer-Policy", "no-referrer")
              .header("X-Frame-Options", "DENY")
              .header("Cross-Origin-Opener-Policy", "same-origin");
      page = known;
    }
    return known;
  }

  private @Nullable Asset own(Call call) {
    String file = call.part("file");
    // The page has headers of its own, and one address.
    return file.equals(AssetFiles.PAGE) ? null : files.own(file);
  }

  private Answer answer(Call call, @Nullable Asset asset) {
    String version = files.version();
    boolean kept = !version.equals(AssetFiles.UNVERSIONED) && call.part("version").equals(version);
    return answer(asset, kept ? IMMUTABLE : REVALIDATED);
  }

  private static Answer answer(@Nullable Asset asset, String caching) {
    if (asset == null) {
      throw Problem.notFound("the dashboard has no such file");
    }
    return Answer.text(asset.contentType(), asset.bytes())
        .header("Cache-Control", caching)
        .header("ETag", asset.etag())
        .header("Cross-Origin-Resource-Policy", "same-origin");
  }
}
