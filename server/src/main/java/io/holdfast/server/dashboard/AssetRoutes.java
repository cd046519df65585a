package io.holdfast.server.dashboard;

import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands out the dashboard: one page, its styles and scripts. All of it is public. */
public final class AssetRoutes {
  private static final String TOPIC = "Dashboard";
  private static final String PAGE = "index.html";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private final AssetFiles files = AssetFiles.configured();

  public List<Route> routes() {
    return List.of(
        Route.get("/", Access.PUBLIC, TOPIC, "The dashboard, for a browser", this::page)
            .answers(200, "the page", Shape.document("text/html; charset=utf-8"))
            .answers(304, "the browser has it as it is"),
        file("/assets/{file}", "A style, script or image of the dashboard", this::own),
        file("/assets/{folder}/{file}", "A script of the dashboard", this::ownInFolder),
        file("/vendor/{library}/{file}", "A script of a library", this::vendor),
        file("/vendor/{library}/{folder}/{file}", "A script of a library", this::vendorInFolder));
  }

  private static Route file(String path, String summary, Route.Action action) {
    return Route.get(path, Access.PUBLIC, TOPIC, summary, action)
        .answers(200, "the file", Shape.document(SCRIPT))
        .answers(304, "the browser has it as it is");
  }

  private Answer page(Call call) {
    Asset page = files.own(PAGE);
    return answer(page)
        .header("Content-Security-Policy", PagePolicy.of(page == null ? new byte[0] : page.bytes()))
        .header("Referrer-Policy", "no-referrer")
        .header("X-Frame-Options", "DENY")
        .header("Cross-Origin-Opener-Policy", "same-origin");
  }

  private Answer own(Call call) {
    String file = call.part("file");
    // The page has headers of its own, and one address.
    return answer(file.equals(PAGE) ? null : files.own(file));
  }

  private Answer ownInFolder(Call call) {
    return answer(files.own(call.part("folder"), call.part("file")));
  }

  private Answer vendor(Call call) {
    return answer(files.vendor(call.part("library"), call.part("file")));
  }

  private Answer vendorInFolder(Call call) {
    return answer(files.vendor(call.part("library"), call.part("folder"), call.part("file")));
  }

  private static Answer answer(@Nullable Asset asset) {
    if (asset == null) {
      throw Problem.notFound("the dashboard has no such file");
    }
    return Answer.text(asset.contentType(), asset.bytes())
        .header("Cache-Control", "no-cache")
        .header("ETag", asset.etag())
        .header("Cross-Origin-Resource-Policy", "same-origin");
  }
}
